package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Told;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.core.section.watch.Waiting;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is told of sections that wait, and of a sync that does.
@Timeout(60)
class WaitingWatchTest {
  @TempDir Path directory;

  @Test
  void p8TheSectionThatAllWaitForIsNamed() throws Exception {
    Object outer = new Object();
    Object inner = new StringBuilder(); // a lock of a class that is known again
    Path file = directory.resolve("waiting.jfr");
    try (Told log = new Told();
        Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton();
        Recording recording = new Recording()) {
      Words.create(region, 8);
      baton.run("blocker", () -> openly(region, inner, inner));
      baton.run("later", () -> openly(region, outer, inner));
      for (int i = 2; i < 6; i++) {
        int word = i;
        baton.run("waits" + i, () -> section(region, inner, word));
      }
      baton.run("later", () -> SectionHooks.releasing(outer));
      Waiting waiting = region.sections().waiting();
      assertThat(waiting.sections()).isEqualTo(5);
      assertThat(waiting.waiters()).isEqualTo(5);
      assertThat(waiting.blocker().getName()).contains("blocker");
      assertThat(waiting.lock()).isEqualTo("java.lang.StringBuilder");

      recording.enable("io.holdfast.WaitingSections");
      recording.start();
      region.sections().watch(Duration.ofMillis(200), false);
      FutureTask<Void> sync =
          new FutureTask<>(
              () -> {
                section(region, inner, 6);
                region.sections().sync();
              },
              null);
      Thread.ofPlatform().daemon().start(sync);
      List<String> messages = new ArrayList<>();
      while (!isTold(messages, " have ended and wait for others, the oldest for ")
          || !isTold(messages, ": sync() has waited for more than a second")) {
        messages.add(log.messages().take());
      }
      assertThat(messages)
          .filteredOn(message -> message.contains("wait for a section of "))
          .allSatisfy(
              message ->
                  assertThat(message)
                      .startsWith("recorded: ")
                      .contains("blocker")
                      .contains("begun with a java.lang.StringBuilder")
                      .contains("\tat "));
      baton.run("blocker", () -> SectionHooks.releasing(inner));
      sync.get();
      assertThat(region.sections().waiting()).isNull();
      recording.stop();
      recording.dump(file);
    }
    RecordedEvent event =
        RecordingFile.readAllEvents(file).stream()
            .filter(each -> each.getEventType().getName().equals("io.holdfast.WaitingSections"))
            .findFirst()
            .orElseThrow();
    assertThat(event.getLong("sections")).isBetween(5L, 6L);
    assertThat(event.getThread("blocker").getJavaName()).contains("blocker");
  }

  @Test
  void oneOfManyThatWaitTellsOfIt() throws Exception {
    Object lock = new Object();
    try (Told log = new Told();
        Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton()) {
      Words.create(region, 8);
      baton.run("blocker", () -> openly(region, lock, lock));
      String waited = ": sync() has waited for more than a second";
      long begun = System.nanoTime();
      List<FutureTask<Void>> syncs = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        syncs.add(
            new FutureTask<>(
                () -> {
                  section(region, lock, 1);
                  region.sections().sync();
                },
                null));
        Thread.ofPlatform().daemon().start(syncs.get(i));
      }
      List<String> messages = new ArrayList<>();
      while (!isTold(messages, waited)) {
        messages.add(log.messages().poll(30, TimeUnit.SECONDS));
        assertThat(messages).doesNotContainNull();
      }
      Thread.sleep(500); // in which the others could tell, too
      log.messages().drainTo(messages);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      assertThat(messages)
          .filteredOn(message -> message.contains(waited))
          .hasSizeLessThanOrEqualTo((int) seconds + 1);
      baton.run("blocker", () -> SectionHooks.releasing(lock));
      for (FutureTask<Void> sync : syncs) {
        sync.get();
      }
    }
  }

  private static boolean isTold(List<String> messages, String part) {
    return messages.stream().anyMatch(message -> message.contains(part));
  }

  /// Begins with a lock, and releases another openly, or the same once of two times.
  private static void openly(Region region, Object first, Object inner) {
    SectionHooks.acquired(first);
    section(region, inner, 0);
  }

  private static void section(Region region, Object lock, int word) {
    SectionHooks.acquired(lock);
    Words.write(region, word, 1);
    SectionHooks.releasing(lock);
  }
}
