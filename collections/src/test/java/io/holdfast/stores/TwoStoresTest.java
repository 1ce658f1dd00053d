package io.holdfast.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import io.holdfast.core.fixture.Told;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is said of sections that store in two stores. Not in Holdfast's own packages, which such a
/// section's place is never in.
@Timeout(60)
class TwoStoresTest {
  /// More than the sections that are looked at one by one, so that it does not matter how many
  /// there were before in this JVM.
  private static final int ROUNDS = 200;

  private final Told log = new Told();
  private final BlockingQueue<String> told = log.messages();

  @TempDir private Path directory;
  private Holdfast one;
  private Holdfast other;
  private Queue<String> inOne;
  private Queue<String> inOther;

  @BeforeEach
  void open() {
    one = Holdfast.open(directory.resolve("one.hf"));
    other = Holdfast.open(directory.resolve("other.hf"));
    inOne = one.queue("queue", String.class);
    inOther = other.queue("queue", String.class);
  }

  @AfterEach
  void close() {
    log.close();
    one.close();
    other.close();
  }

  private void storeInBoth() {
    for (int i = 0; i < ROUNDS; i++) {
      one.atomically(
          () -> {
            inOne.add("a");
            inOther.add("b");
          });
    }
  }

  /// The message that comes next.
  private String next() throws InterruptedException {
    return told.poll(50, TimeUnit.SECONDS);
  }

  @Test
  void eachPlaceIsToldOfOnce() throws InterruptedException {
    storeInBoth();
    for (int i = 0; i < ROUNDS; i++) {
      other.atomically(
          () -> {
            inOther.add("c");
            inOne.add("d");
          });
    }
    List<String> messages = List.of(next(), next());
    assertThat(messages)
        .allMatch(message -> message.startsWith("a section has stored in two stores: "))
        .allMatch(message -> message.contains("one.hf and "))
        .allMatch(message -> message.contains("other.hf. It is atomic in each by itself"));
    assertThat(messages).anyMatch(message -> message.contains("TwoStoresTest.storeInBoth"));
    assertThat(told).isEmpty();
  }

  @Test
  void sectionsOfOneStoreAreNot() throws InterruptedException {
    DurableLock outer = new DurableLock();
    DurableLock inner = new DurableLock();
    one.atomically(() -> inOne.add("a"));
    other.atomically(() -> inOther.add("b"));
    outer.lock();
    inner.lock();
    inOne.add("c");
    inner.unlock(); // others learn of the section, which begins in both stores
    outer.unlock();
    storeInBoth();
    assertThat(next()).contains("TwoStoresTest.storeInBoth");
    assertThat(told).isEmpty();
  }

  @Test
  void itIsRecorded() throws Exception {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.holdfast.TwoStores");
      recording.start();
      storeInBoth();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().getString("region")).endsWith("one.hf");
    assertThat(events.getFirst().getString("otherRegion")).endsWith("other.hf");
    assertThat(events.getFirst().getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getName().equals("storeInBoth"));
  }
}
