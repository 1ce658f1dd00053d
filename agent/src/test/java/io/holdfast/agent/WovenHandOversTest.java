package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Woven accesses do what they did before. That they are edges is shown by WovenCrashTest.
class WovenHandOversTest {
  private final WovenLoader loader = WovenLoader.real();
  private final Woven shared = new Woven(loader, "com.acme.HandOvers");

  @Test
  void volatileFields() {
    shared.call("setNumber", 7);
    assertThat(shared.call("count")).isEqualTo(7);
    assertThat(shared.call("getNumber")).isEqualTo(8);
    shared.call("setLarge", 1L << 40);
    assertThat(shared.call("getLarge")).isEqualTo(1L << 40);
    shared.call("setShared", 9);
    assertThat(shared.call("getShared")).isEqualTo(9);
  }

  @Test
  void inheritedFields() {
    Woven heir = new Woven(loader, "com.acme.Heir", (Runnable) () -> {});
    heir.call("setNumber", 5);
    assertThat(heir.call("inherited")).isEqualTo(5);
    heir.call("setInherited", "object");
    heir.call("setShared", 3);
    assertThat(heir.call("inheritedStatic")).isEqualTo(3);
    assertThat(heir.call("name")).isEqualTo("heir");
  }

  @Test
  void aFieldThatIsAssignedBeforeTheConstructorCallsAnother() {
    Object heir = new Woven(loader, "com.acme.Heir", (Runnable) () -> {}).instance();
    Woven inner = new Woven(loader, "com.acme.Heir$Inner", heir, 4);
    assertThat(inner.call("early")).isEqualTo(4);
  }

  @Test
  void atomics() {
    AtomicInteger counter = new AtomicInteger(1);
    assertThat(shared.call("increment", counter)).isEqualTo(2);
    AtomicReference<Object> held = new AtomicReference<>("before");
    assertThat(shared.call("compareAndSet", held, "before", "after")).isEqualTo(true);
    assertThat(shared.call("compareAndSet", held, "before", "after")).isEqualTo(false);
    AtomicLong value = new AtomicLong();
    shared.call("lazily", value, 5L);
    assertThat(value.get()).isEqualTo(5);
    AtomicIntegerArray array = new AtomicIntegerArray(new int[] {1, 2, 3});
    assertThat(shared.call("inArray", array, 1)).isEqualTo(2);
    assertThat(array.get(1)).isEqualTo(4);
    shared.call("setLarge", 10L);
    assertThat(shared.call("updated", 5L)).isEqualTo(15L);
  }

  @Test
  void varHandles() {
    shared.call("setRelease", 4);
    assertThat(shared.call("getAcquire")).isEqualTo(4);
    assertThat(shared.call("compareAndSetNumber", 4, 5)).isEqualTo(true);
    assertThat(shared.call("opaque")).isEqualTo(5);
    shared.call("setSharedByHandle", 6);
    assertThat(shared.call("getSharedByHandle")).isEqualTo(6);
  }

  @Test
  void collectionsAndSynchronizers() {
    ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
    shared.call("put", queue, "element");
    assertThat(shared.call("take", queue)).isEqualTo("element");
    assertThat(shared.call("put", new ConcurrentHashMap<>(), "key", 1L)).isNull();
    CountDownLatch latch = new CountDownLatch(1);
    shared.call("countDown", latch);
    shared.call("await", latch);
    Semaphore semaphore = new Semaphore(0);
    shared.call("release", semaphore);
    assertThat(semaphore.availablePermits()).isEqualTo(2);
  }

  @Test
  void methodReferences() {
    assertThat(shared.call("byReference", new AtomicInteger(7))).isEqualTo(8);
    ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
    queue.add("element");
    assertThat(shared.call("polled", queue)).isEqualTo("element");
  }

  @Test
  void threads() {
    AtomicInteger ran = new AtomicInteger();
    Thread thread = Thread.ofPlatform().unstarted(ran::incrementAndGet);
    shared.call("start", thread);
    shared.call("join", thread);
    assertThat(ran).hasValue(1);
  }

  /// What is not known counts as volatile.
  @Test
  void aFieldOfAClassThatIsNotToBeFound() {
    Weaver.Result result =
        Weaver.weave(WovenLoader.read("com.acme.Heir"), ClassLoader.getPlatformClassLoader());
    assertThat(result.methods())
        .filteredOn(method -> method.name().equals("inherited"))
        .singleElement()
        .satisfies(
            method ->
                assertThat(method.sites().toString())
                    .contains("volatile field com.acme.Heir.number, which may be one:"));
  }
}
