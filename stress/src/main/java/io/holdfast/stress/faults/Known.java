package io.holdfast.stress.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What earlier runs have found out, kept beside this class.
///
/// - `noticers.tsv`: tests, with the faults that they have noticed, as {@link TestMethod#toLine};
/// - `unnoticed.tsv`: faults that no test notices, by a regular expression of their names, with the
///   reason why that is so.
public final class Known {
  /// The tests, each said to reach what it has noticed.
  public static List<TestMethod> noticers() {
    return lines("noticers.tsv").stream().flatMap(line -> TestMethod.read(line).stream()).toList();
  }

  /// The reasons, by what matches the names of the faults.
  public static Map<Pattern, String> unnoticed() {
    Map<Pattern, String> reasons = new LinkedHashMap<>();
    for (String line : lines("unnoticed.tsv")) {
      String[] words = line.split("\t", 2);
      reasons.put(Pattern.compile(words[0]), words[1]);
    }
    return reasons;
  }

  /// Whether there is a reason that a fault is not noticed.
  public static boolean isExcused(Site site) {
    return unnoticed().keySet().stream().anyMatch(each -> each.matcher(site + "").matches());
  }

  private static List<String> lines(String resource) {
    try (InputStream in = Known.class.getResourceAsStream(resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Known() {}
}
