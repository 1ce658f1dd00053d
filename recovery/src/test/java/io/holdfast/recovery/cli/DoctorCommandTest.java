package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  @TempDir Path directory;

  private static void isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aDirectoryOnADisk() throws IOException {
    CommandRun run = CommandRun.of("doctor", directory, "--plain");

    assertThat(run.out())
        .contains("directory\t" + directory.toRealPath())
        .contains("fileSystem\t" + Files.getFileStore(directory).type())
        .contains("processCrash\tsurvived")
        .containsPattern("commitsPerSecondBy64Threads\t[1-9]")
        .containsPattern("powerFailure\tsurvived by a log");
    isEmpty(directory);
  }

  /// Memory, on every Linux.
  @Test
  void whatIsInMemoryIsDoubted() throws IOException {
    Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "doctor");
    try {
      CommandRun run = CommandRun.of("doctor", memory, "--json");
      assertThat(CommandRun.of("doctor", memory).out())
          .contains("commits per second by 64 threads  ");

      assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.number());
      assertThat(run.out())
          .contains("tmpfs is memory: nothing here survives a restart")
          .contains("survived by a log, if the doubts are wrong");
      isEmpty(memory);
    } finally {
      Files.delete(memory);
    }
  }

  @Test
  void whatIsNotThereIsRefused() {
    CommandRun run = CommandRun.of("doctor", directory.resolve("missing"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.number());
    assertThat(run.err()).contains("cannot be looked at").contains("next: ");
    assertThat(CommandRun.of("doctor", "--help").out())
        .contains("DIR         the directory, or a file in it")
        .doesNotContain("FILE");
  }
}
