package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Stripes;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/// A region of words, locks over them, and what a crash at this moment would leave. Its threads
/// take turns, or stand still while a crash is asked for.
final class LockedWords implements AutoCloseable {
  static final int WORDS = 8;

  /// For what ends at once unless something is wrong.
  static final long SECONDS_MAX = 60;

  /// Locks that share no stripe, so that each has the dependencies that it should and no more.
  record Locks(DurableLock a, DurableLock b, DurableLock c, DurableReadWriteLock both) {
    static Locks distinct() {
      return Stripes.distinct(
              1,
              () ->
                  new Locks(
                      new DurableLock(),
                      new DurableLock(true),
                      new DurableLock(),
                      new DurableReadWriteLock()),
              locks -> List.<Object>copyOf(locks.all()))
          .getFirst();
    }

    List<Lock> all() {
      return List.of(a, b, c, both.readLock(), both.writeLock());
    }

    /// Those that have conditions.
    Stream<Lock> exclusive() {
      return Stream.of(a, both.writeLock());
    }
  }

  final RecordingMemory memory = new RecordingMemory();
  final Region region = Words.open(memory);
  final Locks locks = Locks.distinct();
  private final Baton baton = new Baton();

  LockedWords() {
    Words.create(region, WORDS);
  }

  /// Has another thread do something, and waits for its end.
  void in(String thread, Baton.Turn turn) {
    baton.run(thread, turn);
  }

  void write(int index) {
    Words.write(region, index, 1);
  }

  /// Asserts which words a crash would leave now: those whose section is durable.
  void assertKept(Integer... indexes) {
    List<Integer> kept = List.of(indexes);
    try (Region recovered = Words.open(memory.copy())) {
      List<Long> words = Words.read(recovered, 0, WORDS);
      for (int i = 0; i < WORDS; i++) {
        assertThat(words.get(i)).as("word %d of %s", i, words).isEqualTo(kept.contains(i) ? 1 : 0);
      }
    }
  }

  static void assertInSection(boolean expected) {
    assertThat(SectionHooks.inSection()).as("in a section").isEqualTo(expected);
  }

  /// Waits until a thread stands still.
  static void awaitBlocked(Thread thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(System.nanoTime()).as("%s is %s", thread, thread.getState()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    baton.close();
    region.close();
  }
}
