package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SectionRecordTest {
  private static SectionRecord record(Region region, long number) {
    SectionRecord record = new SectionRecord(region.sections().region().state, null);
    record.number = number;
    return record;
  }

  @Test
  void nobodyTakesASectionThatIsDurable() {
    try (Region region = Words.open(new RecordingMemory())) {
      SectionRecord record = record(region, 7);
      assertThat(record.becameDurable()).isFalse();
      assertThat(record.take(7)).isFalse();
    }
  }

  @Test
  void whoEndsASectionLearnsThatItWasTaken() {
    try (Region region = Words.open(new RecordingMemory())) {
      SectionRecord record = record(region, 7);
      assertThat(record.take(7)).isTrue();
      assertThat(record.becameDurable()).isTrue();
    }
  }

  @Test
  void lateTakersUndoNothing() {
    try (Region region = Words.open(new RecordingMemory())) {
      SectionRecord record = record(region, 7);
      record.becameDurable();
      record.number = 8;
      assertThat(record.take(8)).isTrue();
      assertThat(record.take(7)).as("of the section before").isFalse();
      assertThat(record.becameDurable()).isTrue();
    }
  }

  /// RECORD-1, with threads: were one of the two not to see the other, a section would wait for one
  /// that is over, and its thread's sync for ever.
  @Test
  @Timeout(120)
  void nobodyWaitsForASectionThatIsOver() throws Exception {
    int threads = 3;
    int sections = 20_000;
    Object inner = new Object();
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, threads);
      List<FutureTask<Thread>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int word = i;
        FutureTask<Thread> task =
            new FutureTask<>(
                () -> {
                  work(region, word, inner, sections);
                  return Thread.currentThread();
                });
        tasks.add(task);
        new Thread(task).start();
      }
      List<Thread> done = new ArrayList<>();
      for (FutureTask<Thread> task : tasks) {
        done.add(task.get());
      }
      for (int i = 0; i < threads; i++) {
        assertThat(Words.read(region, i)).isEqualTo(sections);
      }
      assertThat(done)
          .as("with open releases")
          .allMatch(t -> UncommittedReleases.exposed(t) == null);
    }
  }

  private static void work(Region region, int word, Object inner, int sections) {
    Object outer = new Object();
    for (int i = 1; i <= sections; i++) {
      SectionHooks.acquired(outer);
      Words.write(region, word, i);
      synchronized (inner) {
        SectionHooks.acquired(inner);
        SectionHooks.releasing(inner);
      }
      if (i % 4 == word) {
        Thread.yield(); // so that others are quicker
      }
      SectionHooks.releasing(outer);
      if (i % 4 != word) {
        region.sections().sync();
      }
    }
    region.sections().sync(); // as long as another one's section is open, nothing of this is over
    SectionHooks.acquired(outer); // one without an uncommitted release
    SectionHooks.releasing(outer);
  }
}
