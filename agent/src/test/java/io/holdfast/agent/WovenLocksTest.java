package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Woven locks and waits with core's hooks: where a thread is in a section, and that every level
/// that was entered is left.
@Timeout(60)
class WovenLocksTest {
  private final WovenLoader loader = WovenLoader.real();
  private final Woven locks = new Woven(loader, "com.acme.Locks");
  private final Woven own = new Woven(loader, "com.acme.OwnLocks");
  private final List<String> trace = new ArrayList<>();
  private final Runnable body = () -> trace.add(SectionHooks.inSection() ? depth() : "out");

  /// How many levels there are, found by leaving them.
  private static String depth() {
    int depth = 0;
    while (SectionHooks.inSection()) {
      SectionHooks.exit();
      depth++;
    }
    for (int i = 0; i < depth; i++) {
      SectionHooks.enter();
    }
    return String.valueOf(depth);
  }

  @AfterEach
  void everyLevelIsLeft() {
    assertThat(SectionHooks.inSection()).isFalse();
    SectionHooks.enter();
    assertThat(depth()).as("a level too many was left").isEqualTo("1");
    SectionHooks.exit();
  }

  private void assertTrace(String expected) {
    assertThat(trace).hasToString("[" + expected + "]");
    trace.clear();
  }

  @Test
  void aLock() {
    locks.call("block", new ReentrantLock(), body);
    locks.call("reentrant", new ReentrantLock(true), body);
    locks.call("interruptibly", new ReentrantLock(), body);
    assertThat(locks.call("tried", new ReentrantLock(), body)).isEqualTo(true);
    assertThat(locks.call("timed", new ReentrantLock(), body)).isEqualTo(true);
    assertTrace("1, 1, 1, 1, 1");
  }

  @Test
  void nestedAndOverlappingLocks() {
    ReentrantLock lock = new ReentrantLock();
    locks.call("nested", lock, new ReentrantLock(), body);
    locks.call("nested", lock, lock, body);
    locks.call("handOverHand", lock, new ReentrantLock(), body);
    assertTrace("2, 1, 2, 1, 1, 1");
  }

  @Test
  void anExceptionThatLeavesALock() {
    Runnable failing =
        () -> {
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(() -> locks.call("block", new ReentrantLock(), failing))
        .hasMessage("failed");
  }

  @Test
  void aTryThatFails() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    whileOtherHolds(
        lock,
        () -> {
          assertThat(locks.call("tried", lock, body)).isEqualTo(false);
          assertThat(locks.call("timed", lock, body)).isEqualTo(false);
          assertThat(SectionHooks.inSection()).isFalse();
        });
    assertTrace("");
  }

  private static void whileOtherHolds(Lock lock, Runnable action) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread holder =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock();
                  held.countDown();
                  try {
                    over.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  } finally {
                    lock.unlock();
                  }
                });
    held.await();
    try {
      action.run();
    } finally {
      over.countDown();
      holder.join();
    }
  }

  @Test
  void anAcquireThatIsInterrupted() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> locks.call("interruptibly", lock, body))
        .isInstanceOf(InterruptedException.class);
    assertTrace("");
  }

  @Test
  void anUnlockByWhoDoesNotHoldIt() {
    ReentrantLock lock = new ReentrantLock();
    Runnable inside =
        () -> {
          assertThatThrownBy(() -> locks.call("unlockOnly", new ReentrantLock()))
              .isInstanceOf(IllegalMonitorStateException.class);
          body.run();
        };
    locks.call("block", lock, inside);
    assertThatThrownBy(() -> locks.call("unlockOnly", lock))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertTrace("1");
  }

  /// It was taken where nothing is woven, so it is no level of the section.
  @Test
  void aLockThatWasTakenElsewhere() {
    ReentrantLock elsewhere = new ReentrantLock();
    elsewhere.lock();
    locks.call(
        "block",
        new ReentrantLock(),
        (Runnable)
            () -> {
              locks.call("unlockOnly", elsewhere);
              body.run();
            });
    assertTrace("1");
    assertThat(elsewhere.isLocked()).isFalse();
  }

  @Test
  void aNullLock() {
    assertThatThrownBy(() -> locks.call("block", null, body))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void readWriteLocks() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    locks.call("readAndWrite", lock, body);
    locks.call("downgrade", lock, body);
    assertTrace("1, 1, 1, 1");
  }

  /// A pair that makes its locks at each call, and has none to write with if it is to be read only.
  record Made(Lock read, Lock write) implements ReadWriteLock {
    Made(ReentrantReadWriteLock lock) {
      this(lock.readLock(), lock.writeLock());
    }

    @Override
    public Lock readLock() {
      return new Forwarding(read);
    }

    @Override
    public Lock writeLock() {
      if (write == null) {
        throw new UnsupportedOperationException("read only");
      }
      return new Forwarding(write);
    }
  }

  private static final class Forwarding implements Lock {
    private final Lock to;

    Forwarding(Lock to) {
      this.to = to;
    }

    @Override
    public void lock() {
      to.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      to.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
      return to.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return to.tryLock(time, unit);
    }

    @Override
    public void unlock() {
      to.unlock();
    }

    @Override
    public Condition newCondition() {
      return to.newCondition();
    }
  }

  @Test
  void aPairThatMakesItsLocksAtEachCall() {
    Made pair = new Made(new ReentrantReadWriteLock());
    locks.call("readAndWrite", pair, body);
    locks.call("readAndWrite", pair, body);
    assertTrace("1, 1, 1, 1");
  }

  @Test
  void aPairIsAskedForNothingElse() {
    Made readOnly = new Made(new ReentrantLock(), null);
    assertThatThrownBy(() -> locks.call("readAndWrite", readOnly, body)).hasMessage("read only");
    assertTrace("1");
  }

  @Test
  void stampedLocks() {
    StampedLock lock = new StampedLock();
    locks.call("stampedWrite", lock, body);
    assertTrace("1, 1, 1");
    locks.call("stampedRead", lock, body);
    assertTrace("1, 1");
    locks.call("stampedConversions", lock, body);
    assertTrace("out, 1, 1, 1, out, 1");
    locks.call("stampedViews", lock, body);
    assertTrace("1, 1, 1, 1");
    assertThat(lock.isWriteLocked() || lock.isReadLocked()).isFalse();
  }

  @Test
  void aStampThatIsNotValid() {
    locks.call("badStamp", new StampedLock(), body);
    assertTrace("1, 1");
  }

  @Test
  void methodReferences() {
    locks.call("references", new ReentrantLock(), body);
    assertTrace("1, 1");
  }

  /// Alone, a wait ends the section; the hooks that the body calls see both sides of it.
  @Test
  void conditions() {
    ReentrantLock lock = new ReentrantLock();
    locks.call("awaitAll", lock, body, 1);
    assertTrace("1, 1, 1");
    locks.call("awaitAll", lock, body, 3);
    assertTrace("3, 3, 3");
    locks.call("awaitAll", new ReentrantReadWriteLock().writeLock(), body, 2);
    assertTrace("2, 2, 2");
    locks.call("await", lock, lock.newCondition(), body);
    assertTrace("1, 1");
  }

  @Test
  void aConditionIsInterrupted() {
    ReentrantLock lock = new ReentrantLock();
    Runnable interrupting =
        () -> {
          body.run();
          Thread.currentThread().interrupt();
        };
    assertThatThrownBy(() -> locks.call("await", lock, lock.newCondition(), interrupting))
        .isInstanceOf(InterruptedException.class);
    assertThat(lock.isLocked()).isFalse();
    assertTrace("1");
  }

  @Test
  void waits() {
    locks.call("pause", body);
    assertTrace("1, 2, 2, 1");
    locks.call("pauseNanos", body);
    assertTrace("1, 1");
    locks.call("pauseUnder", new Object(), new Object(), body);
    assertTrace("2, 2");
    Object both = new Object();
    locks.call("pauseUnder", both, both, body);
    assertTrace("2, 2");
  }

  @Test
  void aWaitForAMonitorThatIsNotHeld() {
    assertThatThrownBy(() -> locks.call("waitUnowned", new Object()))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(() -> locks.call("waitUnowned", (Object) null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aWaitIsInterrupted() {
    Runnable interrupting = () -> Thread.currentThread().interrupt();
    assertThatThrownBy(() -> locks.call("pause", interrupting))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void notifyWakesTheWaiter() throws InterruptedException {
    boolean[] over = {false};
    Thread waiter =
        Thread.ofPlatform().start(() -> locks.call("waitFor", (BooleanSupplier) () -> over[0]));
    synchronized (locks.instance()) {
      over[0] = true;
    }
    while (waiter.isAlive()) {
      locks.call("wake");
      Thread.onSpinWait();
    }
    waiter.join();
  }

  @Test
  void signalWakesTheWaiter() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    boolean[] over = {false};
    Thread waiter =
        Thread.ofVirtual()
            .start(
                () -> locks.call("awaitSignal", lock, condition, (BooleanSupplier) () -> over[0]));
    while (waiter.isAlive()) {
      locks.call(
          "block",
          lock,
          (Runnable)
              () -> {
                over[0] = true;
                condition.signalAll();
              });
      Thread.onSpinWait();
    }
    waiter.join();
  }

  private Lock newOwn(String name) {
    return (Lock) new Woven(loader, "com.acme.OwnLocks$" + name).instance();
  }

  /// Each is reported as a whole, whatever its methods call.
  @Test
  void locksOfTheProgramsOwn() {
    for (String name : List.of("Counting", "Spinning")) {
      Lock lock = newOwn(name);
      locks.call("block", lock, body);
      locks.call("interruptibly", lock, body);
      locks.call("tried", lock, body);
      locks.call("timed", lock, body);
      locks.call("nested", lock, new ReentrantLock(), body);
      assertTrace("1, 1, 1, 1, 2, 1");
    }
  }

  @Test
  void aLockThatIsTakenBySuperInOtherMethods() {
    own.call("counting", newOwn("Counting"), body);
    assertTrace("1, 2");
  }

  @Test
  void aStampedLockOfTheProgramsOwn() {
    Object lock = new Woven(loader, "com.acme.OwnLocks$Stamping").instance();
    own.call("stamping", lock, body);
    assertTrace("1, out, 1, out, 1, out");
  }

  /// Two levels: the lock and the one that it is made of. A wait gives up both.
  @Test
  void aLockMadeOfAnother() {
    Lock lock = newOwn("Wrapped");
    locks.call("block", lock, body);
    locks.call("timed", lock, body);
    locks.call("tried", lock, body);
    locks.call("awaitAll", lock, body, 1);
    assertTrace("2, 2, 2, 2, 2, 2");
  }

  @Test
  void anOwnLockThatRefuses() {
    Lock lock = newOwn("Spinning");
    assertThatThrownBy(() -> locks.call("unlockOnly", lock)).hasMessage("not held");
  }
}
