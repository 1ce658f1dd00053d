package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// A thread whose sections are rolled back after an uncommitted release, and one that acquires what
/// was released at any moment.
class RollbackThreadsTest {
  private static final int ROUNDS = 20_000, WORDS = 40;
  private static final List<Object> LOCKS = SectionSteps.locks(2);
  private static final Object OUTER = LOCKS.get(0), X = LOCKS.get(1);

  private final ReentrantLock x = new ReentrantLock();
  private final RecordingMemory memory = new RecordingMemory();

  private void locked(Runnable action) {
    x.lock();
    try {
      SectionHooks.acquired(X);
      try {
        action.run();
      } finally {
        SectionHooks.releasing(X);
      }
    } finally {
      x.unlock();
    }
  }

  /// ROLLBACK-2.
  ///
  /// Shows ROLLBACK-4.
  @Test
  void whoTakesARecordSeesAllOrNothing() throws Exception {
    try (Region region = Words.open(memory)) {
      Words.create(region, WORDS);
      memory.limitTo(memory.length());
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger looks = new AtomicInteger();
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                while (!stop.get()) {
                  locked(() -> assertAlike(region));
                  looks.incrementAndGet();
                }
              });
      int undone = 0;
      try {
        for (int round = 1; round <= ROUNDS && !reader.isDone(); round++) {
          undone += section(region, round) ? 1 : 0;
          if (looks.get() == 0) {
            Thread.yield();
          }
        }
      } finally {
        stop.set(true);
      }
      reader.get(60, TimeUnit.SECONDS);
      assertThat(undone).isPositive();
      assertAlike(region);
    }
  }

  private static void assertAlike(Region region) {
    HashSet<Long> values = new HashSet<>();
    for (int i = 0; i < WORDS; i++) {
      values.add(Words.read(region, i));
    }
    assertThat(values).hasSize(1);
  }

  /// @return whether it was rolled back
  private boolean section(Region region, long value) {
    SectionHooks.acquired(OUTER);
    try {
      locked(
          () -> {
            for (int i = 0; i < WORDS; i++) {
              Words.write(region, i, value);
            }
          });
      assertThatThrownBy(() -> region.heap().allocate(10_000_000))
          .isInstanceOf(RegionFullException.class);
      return region.sections().current().isUndone();
    } finally {
      SectionHooks.releasing(OUTER);
    }
  }
}
