package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialDirectoryTest {
  @TempDir Path directory;

  /// Has all files that there can be, until it is killed, or the test's JVM ends.
  static final class Doctor {
    public static void main(String[] directory) throws Exception {
      TrialDirectory trial = TrialDirectory.in(Path.of(directory[0]));
      Files.createFile(trial.file());
      Holdfast store =
          Holdfast.open(
              trial.store(), Holdfast.Options.defaults().durability(Durability.POWER_FAILURE));
      System.out.println(trial.file().getParent());
      int _ = System.in.read();
      store.close();
    }
  }

  /// A process in the midst of it.
  private record Other(Process process, Path trial) implements AutoCloseable {
    static Other in(Path directory) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Doctor.class.getName(),
                  directory.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new Other(process, Path.of(process.inputReader().readLine()));
    }

    @Override
    public void close() {
      process.toHandle().destroyForcibly();
      process.onExit().join();
    }
  }

  private static Path leftByAKilledOne(Path directory) throws IOException {
    try (Other other = Other.in(directory)) {
      return other.trial();
    }
  }

  private static List<String> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void trial1WhatAKilledOneHasLeftIsDeleted() throws IOException {
    Path left = leftByAKilledOne(directory);
    assertThat(list(left))
        .containsExactly("file", "lock", "store", "store.live", "store.lock", "store.log");

    TrialDirectory.in(directory).close();

    assertThat(list(directory)).isEmpty();
  }

  @Test
  void trial1WhatIsInUseStays() throws IOException {
    try (Other other = Other.in(directory);
        TrialDirectory own = TrialDirectory.in(directory)) {
      List<String> files = list(other.trial());

      TrialDirectory.in(directory).close();

      assertThat(list(other.trial())).isEqualTo(files);
      assertThat(own.file().getParent()).isDirectoryContaining("glob:**/lock");
    }
    TrialDirectory.in(directory).close();
    assertThat(list(directory)).isEmpty();
  }

  @Test
  void trial1WhatIsSomebodyElsesStays(@TempDir Path elsewhere) throws IOException {
    Path withMore = leftByAKilledOne(directory);
    Files.createFile(withMore.resolve("mine"));
    Path withALink = leftByAKilledOne(directory);
    Files.delete(withALink.resolve("file"));
    Files.createSymbolicLink(withALink.resolve("file"), Files.createFile(elsewhere.resolve("f")));
    Path withAnotherLock = Files.createDirectory(directory.resolve(".holdfast-doctor-keys"));
    Files.writeString(withAnotherLock.resolve("lock"), "of a door");
    Path withNothing = Files.createDirectory(directory.resolve(".holdfast-doctor-notes"));
    Path link = directory.resolve(".holdfast-doctor-link");
    Files.createSymbolicLink(link, leftByAKilledOne(elsewhere));
    List<Path> all = List.of(withMore, withALink, withAnotherLock, withNothing, link);
    List<List<String>> before = listEach(all);

    TrialDirectory.in(directory).close();

    assertThat(listEach(all)).isEqualTo(before);
    assertThat(elsewhere.resolve("f")).exists();
  }

  private static List<List<String>> listEach(List<Path> directories) throws IOException {
    List<List<String>> lists = new ArrayList<>();
    for (Path each : directories) {
      lists.add(list(each));
    }
    return lists;
  }
}
