package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.EdgeHooks;
import io.holdfast.core.section.hooks.LockHooks;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/// What a stack overflow cuts off in the middle of locks and hooks, at each place where it can.
class StackEndTest {
  /// More than any path from a lock or a hook to the media has.
  private static final int FRAMES = 240;

  private final StackEnd stack = new StackEnd();

  /// A thread of which nothing is on the way.
  private static void inOtherThread(Runnable action) throws InterruptedException {
    Thread other = Thread.ofPlatform().start(action);
    assertThat(other.join(Duration.ofSeconds(20))).as("ended").isTrue();
  }

  private static boolean isRefused(Region region, Runnable action) {
    try {
      action.run();
      return region.sections().region().state.isOver();
    } catch (HoldfastException e) {
      assertThat(e).hasMessageContainingAll("recorded: the store failed", "StackOverflowError");
      return true;
    }
  }

  @Test
  void lock4TheLockIsGivenBack() throws Exception {
    AtomicInteger done = new AtomicInteger();
    AtomicInteger cutOff = new AtomicInteger();
    for (int frames = 0; frames < FRAMES; frames += 2) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 2);
      SectionLock lock = new SectionLock(region.sections(), new Object());
      int room = frames;
      StackEnd.inThread(
          () -> {
            StackOverflowError error = stack.runAbove(room, () -> store(region, lock, 0, 1));
            (error == null ? done : cutOff).incrementAndGet();
            assertThat(ThreadSections.current().depth).isZero();
            if (error == null && !region.sections().region().state.isOver()) {
              assertThat(Words.read(region, 0)).isOne();
            }
          });
      inOtherThread(
          () -> {
            assertThat(isRefused(region, () -> store(region, lock, 1, 2)))
                .isEqualTo(region.sections().region().state.isOver());
          });
      boolean over = region.sections().region().state.isOver();
      long stored = Words.read(region, 0);
      region.close();
      try (Region again = Words.open(memory)) {
        assertThat(Words.read(again, 0)).isIn(0L, stored);
        assertThat(Words.read(again, 1)).isEqualTo(over ? 0 : 2);
      }
    }
    assertThat(done).hasPositiveValue();
    assertThat(cutOff).hasPositiveValue();
  }

  private static void store(Region region, SectionLock lock, int word, long value) {
    Section section = lock.lock();
    try {
      region.sections().checkUsable();
      section.write(Words.at(region, word), value);
    } finally {
      try {
        lock.endSection(section);
      } finally {
        lock.unlock();
      }
    }
  }

  /// A thread stores under two locks and gives one back where its stack ends; another one takes
  /// that and stores.
  @Test
  void level2AThreadThatHasLostALockIsInNoSectionOfAnotherStore() {
    Region first = Words.open(new RecordingMemory());
    SectionLock lost = new SectionLock(first.sections(), new Object());
    lost.lock().breakOff(new StackOverflowError("of this test")); // which keeps it from its end
    storeInAnother();
    first.close();
  }

  private static void storeInAnother() {
    RecordingMemory memory = new RecordingMemory();
    Region another = Words.open(memory);
    Words.create(another, 1);
    store(another, new SectionLock(another.sections(), new Object()), 0, 1);
    assertThat(ThreadSections.current().depth).isZero();
    assertThat(another.sections().isQuiet()).isTrue();
    another.close();
  }

  /// A section stores in two stores, and an operation of one loses its level.
  @Test
  void level2ASectionEndsWithTheLockThatBeganIt() {
    Object lock = new Object();
    ReentrantLock woven = new ReentrantLock();
    List<Runnable> begins =
        List.of(
            () -> SectionHooks.acquired(lock),
            () -> MonitorHooks.acquired(lock),
            () -> LockHooks.lock(woven),
            SectionHooks::enter,
            SectionHooks::enterBlock,
            () -> SectionHooks.acquired(lock));
    List<Runnable> ends =
        List.of(
            () -> SectionHooks.releasing(lock),
            () -> MonitorHooks.releasing(lock),
            () -> LockHooks.unlock(woven),
            SectionHooks::exit,
            SectionHooks::exitBlock,
            () -> SectionHooks.awaiting(lock, 1));
    for (int i = 0; i < begins.size(); i++) {
      Region first = Words.open(new RecordingMemory());
      SectionLock lost = new SectionLock(first.sections(), new Object());
      RecordingMemory memory = new RecordingMemory();
      Region another = Words.open(memory);
      Words.create(another, 1);
      begins.get(i).run();
      Words.write(another, 0, 1);
      lost.lock().breakOff(new StackOverflowError("of this test"));
      ends.get(i).run();
      assertThat(ThreadSections.current().depth).isZero();
      assertThat(ThreadSections.current().own).isZero();
      try (Region again = Words.open(memory.copy())) {
        assertThat(Words.read(again, 0)).isOne();
      }
      another.close();
      first.close();
    }
  }

  /// The frame that is missing is that of the call which would have noted what was cut off.
  @Test
  void level2WhatCouldNotBeBrokenOffIsBrokenOffLater() {
    Region first = Words.open(new RecordingMemory());
    SectionLock lost = new SectionLock(first.sections(), new Object());
    lost.lock().cut = new StackOverflowError("of this test");
    storeInAnother();
    assertThat(first.sections().region().state.isOver()).isTrue();
    first.close();
  }

  @Test
  void level2ABlockLeavesWhatWasCutOffInIt() {
    Region first = Words.open(new RecordingMemory());
    SectionLock lost = new SectionLock(first.sections(), new Object());
    ThreadSections thread = ThreadSections.current();
    thread.inBlock(
        () -> {
          lost.lock().breakOff(new StackOverflowError("of this test"));
          return null;
        });
    assertThat(thread.depth).isZero();
    storeInAnother();
    first.close();
  }

  /// An operation that stores in place loses its level in a section that holds changes back.
  @Test
  void level2WhatWasHeldBackIsInNoSectionOfAnotherStore() {
    Region first = Words.open(new RecordingMemory());
    SectionLock lost = new SectionLock(first.sections(), new Object());
    Held held = new Held(() -> first.sections().checkUsable());
    Object lock = new Object();
    SectionHooks.acquired(lock);
    first.sections().holdBack(held);
    lost.lock().breakOff(new StackOverflowError("of this test"));
    SectionHooks.releasing(lock);
    storeInAnother();
    assertThat(held.isLetGo).isTrue();
    first.close();
  }

  /// What a section has held back is stored, and an operation of that loses its level.
  @Test
  void level2WhatIsStoredLeavesWhatWasCutOffInIt() {
    List<Runnable> stores =
        List.of(
            () -> SectionHooks.publishing(new Object()),
            () -> ThreadSections.current().storeHeldBack());
    for (Runnable store : stores) {
      Region first = Words.open(new RecordingMemory());
      SectionLock lost = new SectionLock(first.sections(), new Object());
      StackOverflowError error = new StackOverflowError("of this test");
      Held held =
          new Held(
              () -> {
                lost.lock().breakOff(error);
                throw error;
              });
      Object lock = new Object();
      SectionHooks.acquired(lock);
      first.sections().holdBack(held);
      assertThatThrownBy(store::run).isSameAs(error);
      assertThat(ThreadSections.current().depth).isOne();
      SectionHooks.releasing(lock);
      assertThat(ThreadSections.current().depth).isZero();
      assertThat(held.isLetGo).isTrue();
      storeInAnother();
      first.close();
    }
  }

  /// Holds back what can't be stored.
  private static final class Held implements HeldChanges {
    private final Runnable storing;
    private boolean isLetGo;

    private Held(Runnable storing) {
      this.storing = storing;
    }

    @Override
    public void store() {
      storing.run();
    }

    @Override
    public void storeOpenly() {
      storing.run();
    }

    @Override
    public void letGo() {
      isLetGo = true;
    }
  }

  /// An operation was broken off, and the next one of its thread waits for no device.
  @Test
  void level2AnOperationThatDoesNotWaitIsInASectionOfItsOwn() {
    Region first = Words.open(new RecordingMemory());
    SectionLock lock = new SectionLock(first.sections(), new Object());
    Section section = lock.lock();
    section.breakOff(new StackOverflowError("of this test"));
    lock.endSection(section);
    lock.unlock();
    Region another = Words.open(new RecordingMemory());
    SectionLock its = new SectionLock(another.sections(), new Object());
    another
        .sections()
        .withoutWaiting(
            () -> {
              its.endSection(its.lock());
              its.unlock();
              return null;
            });
    assertThat(ThreadSections.current().depth).isZero();
    assertThat(ThreadSections.current().own).isZero();
    another.close();
    first.close();
  }

  @Test
  void hooks2AReleaseThatIsCutOffLosesNoEdge() throws Exception {
    AtomicInteger told = new AtomicInteger();
    for (int frames = 0; frames < FRAMES; frames += 2) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 2);
      Object outer = new Object();
      Object inner = new Object();
      int room = frames;
      StackEnd.inThread(
          () -> {
            SectionHooks.acquired(outer);
            SectionHooks.acquired(inner);
            Words.write(region, 0, 1);
            stack.runAbove(room, () -> SectionHooks.releasing(inner));
            if (ThreadSections.current().depth == 2) {
              SectionHooks.releasing(inner); // it never began, so nobody was let in
            }
            assertThat(ThreadSections.current().depth).isOne();
          });
      inOtherThread(
          () -> {
            SectionHooks.acquired(inner);
            boolean refused = isRefused(region, () -> Words.write(region, 1, 2));
            SectionHooks.releasing(inner);
            told.addAndGet(refused ? 0 : 1);
          });
      assertThatNothingIsThere(memory);
      region.close();
    }
    assertThat(told).hasPositiveValue();
  }

  private static void assertThatNothingIsThere(RecordingMemory memory) {
    try (Region again = Words.open(memory.copy())) {
      assertThat(Words.read(again, 0, 2)).containsExactly(0L, 0L);
    }
  }

  /// A thread gives a lock of the JDK's back where its stack ends, with a store open and without.
  @Test
  void hooks2ALockThatIsGivenBackIsNoLevel() throws Exception {
    AtomicInteger kept = new AtomicInteger();
    for (int frames = 0; frames < FRAMES; frames++) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 1);
      for (boolean isOpen : List.of(true, false)) {
        ReentrantLock lock = new ReentrantLock();
        int room = frames;
        StackEnd.inThread(
            () -> {
              LockHooks.lock(lock);
              if (isOpen) {
                Words.write(region, 0, 1);
              }
              stack.runAbove(room, () -> LockHooks.unlock(lock));
              if (lock.isHeldByCurrentThread()) {
                kept.incrementAndGet();
                LockHooks.unlock(lock);
              }
              assertThat(ThreadSections.current().depth).isZero();
            });
        region.close();
      }
    }
    assertThat(kept).hasPositiveValue();
  }

  /// A thread takes a lock where its stack ends, which another one has given back in the middle of
  /// its section, and stores.
  @Test
  void hooks2AnAcquireThatIsCutOffLosesNoEdge() throws Exception {
    for (int frames = 0; frames < FRAMES; frames += 2) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 2);
      Object outer = new Object();
      Object inner = new Object();
      inOtherThread(
          () -> {
            SectionHooks.acquired(outer);
            SectionHooks.acquired(inner);
            Words.write(region, 0, 1);
            SectionHooks.releasing(inner);
          });
      int room = frames;
      StackEnd.inThread(
          () -> {
            stack.runAbove(room, () -> SectionHooks.acquired(inner));
            if (ThreadSections.current().depth == 0) {
              SectionHooks.acquired(inner); // it never began
            }
            isRefused(region, () -> Words.write(region, 1, 2));
            SectionHooks.releasing(inner);
            assertThat(ThreadSections.current().depth).isZero();
          });
      assertThatNothingIsThere(memory);
      region.close();
    }
  }

  /// A thread finds where its stack ends what another one has put into a collection in the middle
  /// of its section, and stores. Whether threads meet at such a collection is asked at run time.
  @Test
  void hooks2AReadThatIsCutOffLosesNoEdge() throws Exception {
    AtomicInteger found = new AtomicInteger();
    for (int frames = 0; frames < FRAMES; frames++) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 2);
      List<String> list = new CopyOnWriteArrayList<>() {}; // its name is none of the JDK's
      inOtherThread(
          () -> {
            SectionHooks.acquired(new Object());
            Words.write(region, 0, 1);
            EdgeHooks.writingShared(list);
            list.add("element");
          });
      String[] read = new String[1];
      AtomicBoolean isRead = new AtomicBoolean();
      Object lock = new Object();
      int room = frames;
      StackEnd.inThread(
          () -> {
            assertThat(ThreadSections.current().inSection()).isFalse(); // not its first hook
            StackOverflowError error =
                stack.runAbove(
                    room,
                    () -> {
                      list.toArray(read);
                      isRead.set(true);
                      EdgeHooks.readShared(list);
                    });
            if (error == null) {
              found.incrementAndGet();
              SectionHooks.acquired(lock);
              isRefused(region, () -> Words.write(region, 1, 2));
              SectionHooks.releasing(lock);
            } else if (isRead.get()) { // a hook that did not find its thread
              assertThat(error.getStackTrace())
                  .noneMatch(frame -> frame.getMethodName().equals("isShared"));
            }
          });
      assertThatNothingIsThere(memory);
      region.close();
    }
    assertThat(found).hasValueBetween(1, FRAMES - 1);
  }

  /// A section ends where the stack ends, and its lock asks how.
  @Test
  void latch1AnEndThatIsCutOffIsToldOrDone() throws Exception {
    for (int frames = 0; frames < FRAMES; frames++) {
      RecordingMemory memory = new RecordingMemory();
      Region region = Words.open(memory);
      Words.create(region, 2);
      Object lock = new Object();
      AtomicBoolean isTold = new AtomicBoolean();
      int room = frames;
      StackEnd.inThread(
          () -> {
            SectionHooks.acquired(lock);
            Words.write(region, 0, 1);
            Words.write(region, 1, 1);
            SectionHooks.forgetEnded();
            stack.runAbove(room, () -> SectionHooks.releasing(lock));
            if (ThreadSections.current().depth == 1) {
              SectionHooks.releasing(lock);
            }
            assertThat(ThreadSections.current().depth).isZero();
            try {
              SectionHooks.checkEnded();
            } catch (HoldfastException _) {
              isTold.set(true);
            }
          });
      try (Region again = Words.open(memory.copy())) {
        long word = Words.read(again, 0);
        assertThat(Words.read(again, 1)).isEqualTo(word);
        assertThat(isTold.get() || word == 1).isTrue();
      }
      region.close();
    }
  }

  /// A log takes chunks where the stack ends, and tells JFR of it.
  @Test
  void hooks1ALogGrowsAfterAnError() throws Exception {
    int words = 5_000;
    try (Recording recording = new Recording()) {
      recording.enable("io.holdfast.LogGrowth");
      recording.start();
      for (int frames = 0; frames < FRAMES; frames += 10) {
        RecordingMemory memory = new RecordingMemory();
        Region region = Words.open(memory);
        Words.create(region, words);
        int room = frames;
        StackEnd.inThread(
            () -> {
              SectionHooks.enter();
              stack.runAbove(room, () -> fill(region, words, 1));
              fill(region, words, 2);
              SectionHooks.exit();
            });
        assertThat(region.sections().region().state.isOver()).isFalse();
        Words.atomically(() -> fill(region, words, 3));
        region.close();
        try (Region again = Words.open(memory)) {
          assertThat(again.report().outcome()).isEqualTo(Outcome.CLEAN);
          assertThat(Words.read(again, 0, words)).containsOnly(3L);
        }
      }
    }
  }

  private static void fill(Region region, int words, long value) {
    for (int i = 0; i < words; i++) {
      Words.write(region, i, value);
    }
  }
}
