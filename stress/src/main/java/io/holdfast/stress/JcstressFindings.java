package io.holdfast.stress;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/// What jcstress found: the tests that failed, and those of which an outcome is interesting, the
/// broken ones, which are there to show that a run would notice. jcstress calls them passed when
/// they show nothing.
final class JcstressFindings {
  private final SortedSet<String> run = new TreeSet<>();
  private final SortedSet<String> failed = new TreeSet<>();
  private final SortedSet<String> broken = new TreeSet<>();
  private final SortedSet<String> caught = new TreeSet<>();

  private JcstressFindings() {}

  /// Reads what jcstress found.
  ///
  /// @param directory where it was run
  static JcstressFindings of(Path directory) throws IOException {
    JcstressFindings findings = new JcstressFindings();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "jcstress-results-*.bin.gz")) {
      for (Path file : files) {
        findings.read(file);
      }
    }
    return findings;
  }

  private void read(Path file) throws IOException {
    DiskReadCollector reader = new DiskReadCollector(file.toString(), this::add);
    try {
      reader.dump();
    } catch (ClassNotFoundException e) {
      throw new IOException("%s: jcstress can't read its own results".formatted(file), e);
    } finally {
      reader.close();
    }
  }

  /// A result is that of one fork.
  private void add(TestResult result) {
    String name = result.getName();
    boolean isBroken =
        TestList.getInfo(name).cases().stream()
            .anyMatch(outcome -> outcome.expect() == Expect.ACCEPTABLE_INTERESTING);
    run.add(name);
    if (isBroken) {
      broken.add(name);
    }
    if (!result.grading().isPassed || result.status() != Status.NORMAL) {
      failed.add(name);
    }
    if (result.grading().hasInteresting) {
      caught.add(name);
    }
  }

  /// How many tests were run.
  int tests() {
    return run.size();
  }

  /// Those that showed what is forbidden, or did not come to their end.
  List<String> failed() {
    return List.copyOf(failed);
  }

  /// The broken ones that showed nothing.
  List<String> uncaught() {
    return broken.stream().filter(name -> !caught.contains(name)).toList();
  }
}
