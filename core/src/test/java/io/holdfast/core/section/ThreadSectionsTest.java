package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadSectionsTest {
  /// With all that its task knows: hooks are called by threads that never see a store.
  @Test
  void aThreadThatHasEndedIsLetGo() throws InterruptedException {
    ReferenceQueue<Object> gone = new ReferenceQueue<>();
    Reference<Object> known = knownByAThreadThatHasEnded(gone);
    Reference<?> found = null;
    for (int i = 0; found == null && i < 100; i++) {
      System.gc();
      found = gone.remove(100);
    }
    assertThat(found).isSameAs(known);
  }

  private static Reference<Object> knownByAThreadThatHasEnded(ReferenceQueue<Object> gone)
      throws InterruptedException {
    Object lock = new Object();
    Thread thread =
        new Thread(
            () -> {
              synchronized (lock) {
                MonitorHooks.acquired(lock);
                MonitorHooks.releasing(lock);
              }
            });
    thread.start();
    thread.join();
    return new WeakReference<>(lock, gone);
  }

  /// The common pool erases its threads' locals between two tasks. What the first one's section
  /// waits for the second one's does, too.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void p5InAPoolThatErasesItsThreadsLocals(int outerLocks) throws InterruptedException {
    Object first = new Object();
    Object inner = new Object();
    List<Object> outer = Collections.nCopies(outerLocks, new Object());
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory);
        ForkJoinPool pool = new ForkJoinPool(1, Erased::new, null, false)) {
      Words.create(region, 10);
      SectionHooks.acquired(first);
      SectionHooks.acquired(inner);
      Words.write(region, 0, 1);
      SectionHooks.releasing(inner);
      pool.submit(
              () -> {
                outer.forEach(SectionHooks::acquired);
                SectionHooks.acquired(inner);
                Words.write(region, 1, 1);
                SectionHooks.releasing(inner);
                outer.forEach(SectionHooks::releasing);
              })
          .join();
      takeAllPlaces();
      System.gc();
      pool.submit(() -> Words.atomically(() -> Words.write(region, 2, 1))).join();
      assertThat(afterACrash(memory)).containsOnly(0L);
      SectionHooks.releasing(first);
      assertThat(afterACrash(memory)).containsOnly(1L);
    }
  }

  private static final class Erased extends ForkJoinWorkerThread {
    Erased(ForkJoinPool pool) {
      super(null, pool, false);
    }
  }

  /// In the cache of threads, which is found by the id.
  private static void takeAllPlaces() throws InterruptedException {
    for (int i = 0; i < 256; i++) {
      Thread thread = new Thread(ThreadSections::current);
      thread.start();
      thread.join();
    }
  }

  private static Iterable<Long> afterACrash(RecordingMemory memory) {
    try (Region recovered = Words.open(memory.copy())) {
      return Words.read(recovered, 0, 3);
    }
  }
}
