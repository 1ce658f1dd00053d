package io.holdfast.stress.faults;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A test that may notice faults: a method, with all arguments that it is run for.
///
/// @param id JUnit's unique id of it
/// @param millis that it took once, without a fault
/// @param reached the sites that it ran through then
public record TestMethod(String id, long millis, Set<Site> reached) {
  /// Reads what {@link FaultWorker} tells when it is asked which sites tests reach.
  ///
  /// @return nothing for a test that failed
  public static List<TestMethod> read(String line) {
    String[] words = line.split("\t", -1);
    if (words[2].equals("failed")) {
      return List.of();
    }
    Set<Site> reached =
        Stream.of(words[2].split(" "))
            .filter(each -> !each.isEmpty())
            .map(Site::parse)
            .collect(Collectors.toSet());
    return List.of(new TestMethod(words[0], Long.parseLong(words[1]), reached));
  }

  /// What {@link #read} reads.
  public String toLine() {
    return id
        + "\t"
        + millis
        + "\t"
        + reached.stream().map(Site::toString).sorted().collect(Collectors.joining(" "));
  }

  /// `Class.method`, for people.
  static String name(String id) {
    String name = id.replaceAll("^.*\\[class:", "").replaceAll("\\([^/]*\\)\\]", "");
    return name.replaceAll("\\]/\\[(nested-class|method|test-template|test-factory):", ".")
        .replaceAll("^.*\\.(\\w+\\.\\w+)$", "$1");
  }
}
