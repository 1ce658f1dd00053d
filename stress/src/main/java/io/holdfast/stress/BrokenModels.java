package io.holdfast.stress;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/// The tests of which an outcome is interesting: the broken ones, which are there to show that a
/// run would notice. jcstress calls them passed when they show nothing.
final class BrokenModels {
  private final SortedSet<String> run = new TreeSet<>();
  private final SortedSet<String> caught = new TreeSet<>();

  private BrokenModels() {}

  /// Reads what jcstress found.
  ///
  /// @param directory where it was run
  static BrokenModels of(Path directory) throws IOException {
    BrokenModels models = new BrokenModels();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "jcstress-results-*.bin.gz")) {
      for (Path file : files) {
        models.read(file);
      }
    }
    return models;
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
    if (isBroken) {
      run.add(name);
    }
    if (result.grading().hasInteresting) {
      caught.add(name);
    }
  }

  /// Those that were run and showed nothing.
  List<String> uncaught() {
    return run.stream().filter(name -> !caught.contains(name)).toList();
  }
}
