package io.holdfast.core.section.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Told;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.core.section.watch.BlackBox.Note;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the section runtime tells of itself.
class DiagnosticsTest {
  private static final Object OUTER = new Object();

  @TempDir Path directory;

  private List<RecordedEvent> recorded(String event, Runnable work) throws IOException {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(event).withThreshold(Duration.ZERO);
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file);
  }

  @Test
  void aSectionIsRecorded() throws IOException {
    try (Region region = Words.open(FlushMode.POSTED.over(new RecordingMemory()))) {
      Words.create(region, 64);
      List<RecordedEvent> events =
          recorded(
              "io.holdfast.Section",
              () -> {
                SectionHooks.acquired(OUTER);
                Words.write(region, 0, 1);
                Words.write(region, 32, 1);
                Words.write(region, 32, 2);
                SectionHooks.releasing(OUTER);
              });
      assertThat(events).hasSize(1);
      RecordedEvent event = events.getFirst();
      assertThat(event.getString("region")).isEqualTo("recorded");
      assertThat(event.getClass("lockClass").getName()).isEqualTo("java.lang.Object");
      assertThat(event.getInt("stores")).isEqualTo(3);
      assertThat(event.getLong("logBytes")).isEqualTo(2 * 32);
      assertThat(event.getLong("fences")).as("the entries, the data, the end").isEqualTo(3);
      assertThat(event.getLong("flushes")).isGreaterThanOrEqualTo(3);
      assertThat(event.getInt("dependencies")).isZero();
      assertThat(event.getBoolean("waits")).isFalse();
    }
  }

  @Test
  void aSectionOfAVirtualThreadIsRecorded() throws Exception {
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, 1);
      List<RecordedEvent> events =
          recorded(
              "io.holdfast.Section",
              () -> {
                try {
                  Thread.startVirtualThread(() -> Words.atomically(() -> Words.write(region, 0, 1)))
                      .join();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().getLong("logBytes")).isEqualTo(32);
      assertThat(events.getFirst().getClass("lockClass")).isNull();
    }
  }

  @Test
  void aWaitIsRecorded() throws IOException {
    Object inner = new Object();
    try (Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton()) {
      Words.create(region, 2);
      List<RecordedEvent> events =
          recorded(
              "io.holdfast.SectionWait",
              () -> {
                baton.run(
                    "A",
                    () -> {
                      SectionHooks.acquired(OUTER);
                      SectionHooks.acquired(inner);
                      Words.write(region, 0, 1);
                      SectionHooks.releasing(inner);
                    });
                baton.run(
                    "B",
                    () -> {
                      SectionHooks.acquired(inner);
                      Words.write(region, 1, 1);
                      SectionHooks.releasing(inner);
                    });
                baton.run("A", () -> SectionHooks.releasing(OUTER));
              });
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().getInt("dependencies")).isEqualTo(1);
      assertThat(events.getFirst().getThread("sectionThread").getJavaName()).contains("B");
    }
  }

  @Test
  void aLogsGrowthIsRecorded() throws IOException {
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, 200);
      List<RecordedEvent> events =
          recorded(
              "io.holdfast.LogGrowth",
              () ->
                  Words.atomically(
                      () -> {
                        for (int i = 0; i < 200; i++) {
                          Words.write(region, i, 1);
                        }
                      }));
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().getLong("bytes")).isEqualTo(65_536);
    }
  }

  /// What does not fit is left out; what was longer before leaves nothing behind.
  @Test
  void notesOfTheBlackBox() {
    RecordingMemory memory = new RecordingMemory();
    memory.grow(RegionLayout.MIN_BYTES);
    BlackBox box = new BlackBox(memory);
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      notes.add(
          new Note(
              i,
              100 + i,
              Instant.ofEpochMilli(1000 + i),
              Instant.ofEpochMilli(2000 + i),
              i % 2 == 0 ? "" : "thread-" + i,
              i % 3 == 0 ? "" : "com.acme.Lock" + i,
              i % 4 == 0 ? "" : "com.acme.Main.main(Main.java:%d)\nmore".formatted(i)));
    }

    box.write(notes);

    List<Note> found = BlackBox.read(memory);
    assertThat(found).hasSize(31);
    assertThat(found.subList(0, 10)).isEqualTo(notes.subList(0, 10));
    assertThat(found.get(30).stack()).isEmpty();
    box.write(notes.subList(20, 21));
    assertThat(BlackBox.read(memory)).containsExactly(notes.get(20));
    box.write(
        List.of(
            new Note(
                1,
                2,
                Instant.EPOCH,
                Instant.EPOCH,
                "t".repeat(50),
                "x".repeat(90),
                "s".repeat(600))));
    assertThat(BlackBox.read(memory))
        .containsExactly(
            new Note(
                1,
                2,
                Instant.EPOCH,
                Instant.EPOCH,
                "t".repeat(32),
                "x".repeat(56),
                "s".repeat(504)));
    box.write(List.of());
    assertThat(BlackBox.read(memory)).isEmpty();
  }

  @Test
  void aLongSectionIsToldOfOnce() {
    try (Told log = new Told();
        Region region = Words.open(new RecordingMemory())) {
      Queue<String> told = log.messages();
      Words.create(region, 1);
      SectionHooks.acquired(OUTER);
      Words.write(region, 0, 1);
      Section section = region.sections().current();
      SectionWatch watch =
          new SectionWatch(
              region.memory(), Duration.ofSeconds(1), true, () -> List.of(section), () -> {});
      told.clear();
      watch.look(0);
      watch.look(999_999_999);
      assertThat(told).isEmpty();
      watch.look(1_000_000_000);
      watch.look(2_000_000_000);
      assertThat(told).hasSize(1);
      assertThat(told.element())
          .startsWith(region.memory().name() + ": a section of Thread[")
          .contains("is open for 1000 ms")
          .contains("DiagnosticsTest.aLongSectionIsToldOfOnce");
      SectionHooks.releasing(OUTER);
      watch.look(3_000_000_000L);
      SectionHooks.acquired(OUTER);
      Words.write(region, 0, 2);
      watch.look(4_000_000_000L);
      watch.look(5_000_000_000L);
      assertThat(told).as("of the next section too").hasSize(2);
      assertThat(BlackBox.read(region.memory()))
          .singleElement()
          .satisfies(
              note -> {
                assertThat(note.number()).isEqualTo(section.openNumber());
                assertThat(note.slot()).isZero();
                assertThat(note.thread()).isEqualTo(Thread.currentThread().getName());
                assertThat(note.seen()).isAfterOrEqualTo(note.since());
                assertThat(note.stack()).contains("DiagnosticsTest.aLongSectionIsToldOfOnce");
              });
      SectionHooks.releasing(OUTER);
      watch.look(6_000_000_000L);
      assertThat(BlackBox.read(region.memory())).isEmpty();
    }
  }
}
