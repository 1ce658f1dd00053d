package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RecoveryReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that are opened to survive a loss of power, on files that are said to do so.
class PowerFailureTest {
  private static final Holdfast.Options DECLARED =
      Holdfast.Options.defaults().durability(Durability.POWER_FAILURE).treatAsPersistentMemory();

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("store.hf");
  }

  @Test
  void aStoreSurvivesWhatItIsOpenedFor() {
    assertThatNullPointerException().isThrownBy(() -> DECLARED.durability(null));
    assertThat(DECLARED.durability()).isEqualTo(Durability.POWER_FAILURE);
    assertThat(Holdfast.Options.defaults().durability()).isEqualTo(Durability.PROCESS_CRASH);
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("q", String.class).add("x");
      assertThat(store.persistence()).isEqualTo(PersistenceCounts.NONE);
    }
  }

  /// The round trips of an operation: those of the design document.
  @Test
  void countsWhatAnOperationCosts() {
    try (Holdfast store = Holdfast.open(file, DECLARED)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.add("first");
      PersistenceCounts before = store.persistence();
      queue.add("second");
      assertThat(store.persistence().since(before).fences()).as("fences of add").isEqualTo(2);
      before = store.persistence();
      assertThat(queue.poll()).isEqualTo("first");
      assertThat(store.persistence().since(before).fences()).as("fences of poll").isEqualTo(1);
      before = store.persistence();
      assertThat(queue.peek()).isEqualTo("second");
      assertThat(store.persistence().since(before)).isEqualTo(PersistenceCounts.NONE);
    }
  }

  /// A store survives what it is opened for, whatever it was opened for before.
  @Test
  void aStoreIsOpenedForOneFailureAndThenForTheOther() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Holdfast.Options options = i % 2 == 0 ? DECLARED : Holdfast.Options.defaults();
      Path copy = directory.resolve("copy.hf");
      try (Holdfast store = Holdfast.open(file, options)) {
        store.queue("q", String.class).add("e" + i);
        expected.add("e" + i);
        assertThat(store.queue("q", String.class)).containsExactlyElementsOf(expected);
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING); // as a crash would leave it
      }
      try (Holdfast store = Holdfast.open(copy, options)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
        assertThat(store.queue("q", String.class)).containsExactlyElementsOf(expected);
      }
    }
  }

  @Test
  void flightRecorderReportsTheCounts() throws Exception {
    Path dump = directory.resolve("dump.jfr");
    PersistenceCounts counts;
    try (Recording recording = new Recording();
        Holdfast store = Holdfast.open(file, DECLARED)) {
      recording.enable("io.holdfast.Persistence").with("period", "everyChunk");
      store.queue("q", String.class).add("x");
      counts = store.persistence();
      recording.start();
      recording.stop();
      recording.dump(dump);
    }
    RecordedEvent event =
        RecordingFile.readAllEvents(dump).stream()
            .filter(each -> each.getEventType().getName().equals("io.holdfast.Persistence"))
            .findFirst()
            .orElseThrow();
    assertThat(event.getString("region")).isEqualTo(file.toRealPath().toString());
    assertThat(event.getString("domain")).startsWith("cache line");
    assertThat(event.getLong("fences")).isPositive().isEqualTo(counts.fences());
    assertThat(event.getLong("flushes")).isEqualTo(counts.flushes());
    assertThat(event.getLong("lines")).isEqualTo(counts.lines());
    assertThat(event.getLong("bytes")).isEqualTo(counts.bytes());
  }

  /// Uses a store.
  static final class User {
    public static void main(String[] arguments) {
      Holdfast.Options options =
          arguments[1].equals("declared") ? DECLARED : Holdfast.Options.defaults();
      try (Holdfast store = Holdfast.open(Path.of(arguments[0]), options)) {
        PersistentQueue<String> queue = store.queue("q", String.class);
        queue.add("x");
        store.atomically(() -> queue.add(queue.remove()));
        System.out.println(queue.size() + " " + (store.persistence().fences() > 0));
      }
    }
  }

  private String run(String options, String... jvmOptions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), User.class.getName()));
    command.addAll(List.of(file.toString(), options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.strip();
  }

  /// `PROCESS_CRASH` calls no restricted method: it runs where they are denied, without a warning.
  @Test
  void processCrashNeedsNoNativeAccess() throws Exception {
    assertThat(run("defaults", "--illegal-native-access=deny")).isEqualTo("1 false");
  }

  @Test
  void powerFailureNeedsNativeAccessAndSaysSo() throws Exception {
    assertThat(run("declared", "--illegal-native-access=deny"))
        .contains("UnsupportedOperationException")
        .contains(file.toString())
        .contains("--enable-native-access");
    assertThat(
            run("declared", "--illegal-native-access=deny", "--enable-native-access=ALL-UNNAMED"))
        .isEqualTo("1 true");
  }
}
