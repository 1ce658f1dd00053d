package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Threads that take spans and give them back.
class SpanTableThreadsTest {
  private static final int THREADS = 3, ROUNDS = 100_000, SPANS = 64;

  @Test
  void eachSpanIsTakenOnce() throws Exception {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      SpanTable spans = region.spans();
      long all = spans.take(SPANS);
      spans.giveBack(all, SPANS);
      memory.limitTo(memory.length());
      List<Long> free = takeAll(spans);
      free.forEach(each -> spans.giveBack(each, 1));
      AtomicIntegerArray takers = new AtomicIntegerArray(2 * SPANS);
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i + 1;
        tasks.add(new FutureTask<>(() -> takeAndGiveBack(spans, takers, number), null));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      assertThat(takeAll(spans)).isEqualTo(free);
    }
  }

  @Test
  void oneThreadGrowsAtATime() throws Exception {
    takeWhileGrowing(spans -> assertThat(spans.take(SPANS)).isPositive());
    takeWhileGrowing(spans -> assertThat(spans.hasFreeAtEnd(SPANS)).isTrue());
  }

  private static void takeWhileGrowing(Consumer<SpanTable> growth) throws Exception {
    Meeting memory = new Meeting(new RecordingMemory());
    try (Region region = Words.open(memory)) {
      SpanTable spans = region.spans();
      FutureTask<Long> taking = new FutureTask<>(() -> spans.take(SPANS));
      memory.met = Thread.ofPlatform().daemon().unstarted(taking);
      growth.accept(spans);
      assertThat(taking.get()).isPositive();
    }
  }

  /// Has another thread run, until it ends or waits, where it grows for the first time.
  private static final class Meeting extends ForwardingMemory {
    Thread met;

    Meeting(Memory bytes) {
      super(bytes);
    }

    @Override
    public void grow(long newLength) {
      if (met != null && met.getState() == Thread.State.NEW) {
        met.start();
        Intruder.awaitEndOrWait(met);
      }
      super.grow(newLength);
    }
  }

  private static List<Long> takeAll(SpanTable spans) {
    List<Long> taken = new ArrayList<>();
    for (long span = spans.takeFree(1); span != 0; span = spans.takeFree(1)) {
      taken.add(span);
    }
    return taken;
  }

  private static void takeAndGiveBack(SpanTable spans, AtomicIntegerArray takers, int number) {
    for (int round = 0; round < ROUNDS; round++) {
      int count = 1 + round % 3;
      long taken = spans.takeFree(count);
      assertThat(taken).isPositive();
      int first = (int) (taken / RegionLayout.SPAN_BYTES);
      for (int span = first; span < first + count; span++) {
        assertThat(takers.getAndSet(span, number)).isZero();
      }
      for (int span = first; span < first + count; span++) {
        assertThat(takers.getAndSet(span, 0)).isEqualTo(number);
      }
      spans.giveBack(taken, count);
    }
  }
}
