package io.holdfast.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.Survived;
import io.holdfast.stress.soak.Events.Tally;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That a soak notices what leaks, by real leaks beside it; that it passes without one is shown by
/// the command's test.
class SoakTest {
  private static final Duration LENGTH = Duration.ofMillis(2_400);

  @TempDir Path directory;

  private final List<Thread> leakedThreads = new ArrayList<>();
  private Path file;

  private String soak(Consumer<Round> told) throws InterruptedException {
    file = directory.resolve("soak.hf");
    return new Soak(file, 2, 1, Survived.PROCESS_CRASH).run(LENGTH, told);
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    for (Thread each : leakedThreads) {
      each.interrupt();
      each.join();
    }
  }

  @Test
  void elementsThatNobodyTakesAreNoticed() throws Exception {
    String grown =
        soak(
            round -> {
              try (Holdfast store = Holdfast.open(file)) {
                store.queue("leak", byte[].class).add(new byte[(int) round.fileBytes()]);
              }
            });

    assertThat(grown).startsWith("the file: ");
  }

  @Test
  void heapThatNobodyLetsGoOfIsNoticed() throws Exception {
    List<byte[]> leak = new ArrayList<>();

    assertThat(soak(_ -> leak.add(new byte[5 << 20]))).startsWith("the heap: ");
    assertThat(leak).isNotEmpty();
  }

  @Test
  void threadsThatDoNotEndAreNoticed() throws Exception {
    assertThat(soak(_ -> leakThreads(3))).startsWith("threads: ");
  }

  private void leakThreads(int count) {
    for (int i = 0; i < count; i++) {
      leakedThreads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      Thread.sleep(Duration.ofDays(1));
                    } catch (InterruptedException _) {
                      // the test is over
                    }
                  }));
    }
  }

  @Test
  void eventsAreCounted() {
    Events events;
    try (Holdfast store = Holdfast.open(directory.resolve("events.hf"))) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      events =
          Events.of(
              directory.resolve("events.jfr"),
              () -> {
                for (long i = 0; i < 100; i++) {
                  long key = i;
                  store.atomically(() -> map.put(key, map.size() + 1L));
                }
              });
    }

    assertThat(events.byName().get("io.holdfast.Section").count()).isEqualTo(100);
  }

  private static List<Events> rounds(long count, int micros) {
    Tally tally = new Tally(count, Duration.ofNanos(micros * 1_000L));
    return List.of(new Events(Map.of("io.holdfast.Section", tally)));
  }

  @Test
  void moreAndLongerEventsAreADrift() {
    assertThat(Events.drift(rounds(2_000, 10), rounds(2_900, 50))).isEmpty();
    assertThat(Events.drift(rounds(2_000, 10), rounds(3_100, 10))).contains("more events");
    assertThat(Events.drift(rounds(2_000, 10), rounds(2_000, 70))).contains("longer events");
  }
}
