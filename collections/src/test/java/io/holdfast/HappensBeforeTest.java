package io.holdfast;

import static io.holdfast.LockedWords.assertInSection;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Edges through volatile fields and atomics.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HappensBeforeTest {
  private final LockedWords words = new LockedWords();
  private final DurableLock a = words.locks.a();
  private final DurableLock b = words.locks.b();
  private final DurableLock c = words.locks.c();

  /// One that has no stripe in common with the others.
  private final Object through = words.locks.both().readLock();

  private volatile String field = "";

  @AfterEach
  void close() {
    words.close();
  }

  private void store(DurableLock lock, int index) {
    lock.lock();
    words.write(index);
    lock.unlock();
  }

  @Test
  void p2FromASectionToWhoReadsOutsideOfOne() {
    a.lock();
    words.write(0);
    HappensBefore.releasing(through);
    field = "written";
    words.in(
        "reader",
        () -> {
          if (field.equals("written")) {
            HappensBefore.acquired(through);
          }
          assertInSection(false);
          store(b, 1);
        });
    words.in("none", () -> store(c, 2));
    assertInSection(true);
    words.assertKept(2);
    a.unlock();
    words.assertKept(0, 1, 2);
  }

  @Test
  void p2FromASectionToASection() {
    AtomicReference<String> atomic = new AtomicReference<>("");
    a.lock();
    HappensBefore.releasing(through);
    atomic.set("written");
    words.write(0); // atomic with what was published before it
    words.in(
        "reader",
        () -> {
          b.lock();
          words.write(1);
          HappensBefore.releasing(through);
          atomic.compareAndSet("written", "read");
          HappensBefore.acquired(through);
          b.unlock();
        });
    words.assertKept();
    a.unlock();
    words.assertKept(0, 1);
  }

  /// Without the calls, nothing is known of the edge.
  @Test
  void withoutThemThereIsNone() {
    a.lock();
    words.write(0);
    field = "written";
    words.in("reader", () -> store(b, field.length() - 6));
    words.assertKept(1);
    a.unlock();
    words.assertKept(0, 1);
  }

  /// Outside of sections, what the thread's last section waits for is passed on.
  @Test
  void p2FromBehindASectionThatWaits() {
    a.lock();
    b.lock();
    words.write(0);
    b.unlock();
    words.in(
        "writer",
        () -> {
          store(b, 1);
          HappensBefore.releasing(through);
        });
    words.in(
        "reader",
        () -> {
          HappensBefore.acquired(through);
          store(c, 2);
        });
    words.assertKept();
    a.unlock();
    words.assertKept(0, 1, 2);
  }

  /// A section that is durable has nothing to pass on.
  @Test
  void fromBehindASectionThatIsDurable() {
    store(a, 0);
    HappensBefore.releasing(through);
    b.lock();
    words.in(
        "reader",
        () -> {
          HappensBefore.acquired(through);
          store(c, 1);
        });
    words.assertKept(0, 1);
    b.unlock();
  }

  @Test
  void nullIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> HappensBefore.releasing(null));
    assertThatNullPointerException().isThrownBy(() -> HappensBefore.acquired(null));
  }
}
