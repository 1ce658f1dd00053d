package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The looking commands on a store that changes under them: they show something, or say that it is
/// in use. `-Dholdfast.looks=N` looks for longer.
final class BusyStoreTest {
  private static final int LOOKS = Integer.getInteger("holdfast.looks", 5);

  @TempDir private Path directory;

  @Test
  void whatMovesIsNotTakenForDamageOrABug() throws Exception {
    Path file = directory.resolve("busy.hf");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                BusyStore.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    TreeMap<Integer, Integer> codes = new TreeMap<>();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo(BusyStore.READY);
      for (int i = 0; i < LOOKS; i++) {
        for (List<String> command :
            List.of(
                List.of("info"),
                List.of("log"),
                List.of("info", "--last-crash"),
                List.of("dump", "map"),
                List.of("dump", "tree"),
                List.of("dump", "queue"))) {
          Object[] arguments = command.toArray();
          Object[] all = new Object[arguments.length + 1];
          all[0] = arguments[0];
          all[1] = file;
          System.arraycopy(arguments, 1, all, 2, arguments.length - 1);
          CommandRun run = CommandRun.of(all);
          codes.merge(run.exitCode(), 1, Integer::sum);
          assertThat(run.exitCode())
              .as(command + ": " + run.err())
              .isIn(Set.of(0, ExitCode.IN_USE.number()));
          assertThat(run.err()).contains("in use");
          if (run.exitCode() != 0) {
            assertThat(run.err())
                .endsWith("next: holdfast backup %s %1$s.backup\n".formatted(file));
          }
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(codes.get(0)).as("looks that showed something, of " + codes).isPositive();
    System.out.println("exit codes of looks at a busy store: " + codes);
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("map", Long.class, String.class).validate();
      store.treeMap("tree", Long.class, String.class).validate();
    }
  }
}
