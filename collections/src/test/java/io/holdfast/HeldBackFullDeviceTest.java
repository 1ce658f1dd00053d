package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sections whose changes can't be stored when they end: the device has become full meanwhile.
@ExtendWith(QuietRecoveries.class)
@Timeout(60)
class HeldBackFullDeviceTest {
  private static final int MANY = 300;
  private static final String LONG = "l".repeat(5_000);

  private final RecordingMemory memory = new RecordingMemory();
  private Holdfast store;
  private Map<String, String> map;
  private Map<String, String> other;

  @BeforeEach
  void open() {
    store = Holdfast.over(memory);
    map = store.hashMap("map", String.class, String.class);
    other = store.hashMap("other", String.class, String.class);
    map.put("a", "1");
    other.put("a", "1");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void changeMuch() {
    map.put("a", "2");
    for (int i = 0; i < MANY; i++) {
      other.put("key" + i, LONG);
    }
    other.put("a", "2");
  }

  /// The device has no more room than the file has.
  private void beFull() {
    memory.limitTo(memory.length());
  }

  private void haveRoom() {
    memory.limitTo(Long.MAX_VALUE);
  }

  private void assertThatAllIsAsBefore() {
    assertThat(map).isEqualTo(Map.of("a", "1"));
    assertThat(other).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void held1AtomicallySaysSo() {
    assertThatExceptionOfType(RegionFullException.class)
        .isThrownBy(
            () ->
                store.atomically(
                    () -> {
                      changeMuch();
                      beFull();
                    }))
        .withMessageContaining("The section was rolled back");
    assertThatAllIsAsBefore();
    store.atomically(() -> map.put("b", "3"));
    haveRoom();
    store.atomically(this::changeMuch);
    assertThat(other).hasSize(MANY + 1);
    try (Baton threads = new Baton()) { // no lock is kept
      threads.run("other", () -> other.replaceAll((key, value) -> "3"));
    }
    store.close();
    open(memory);
    assertThat(map).isEqualTo(Map.of("a", "2", "b", "3"));
    assertThat(other).hasSize(MANY + 1).containsEntry("a", "3");
  }

  private void open(RecordingMemory from) {
    store = Holdfast.over(from);
    map = store.hashMap("map", String.class, String.class);
    other = store.hashMap("other", String.class, String.class);
  }

  /// Also when the action has thrown, whose exception is not lost.
  @Test
  void held1AtomicallySaysSoAfterAnException() {
    IllegalStateException thrown = new IllegalStateException("of the action");
    assertThatThrownBy(
            () ->
                store.atomically(
                    () -> {
                      changeMuch();
                      beFull();
                      throw thrown;
                    }))
        .isInstanceOf(RegionFullException.class)
        .hasSuppressedException(thrown);
    assertThatAllIsAsBefore();
  }

  @Test
  void held1ATransactionSaysSo() {
    assertThatExceptionOfType(RegionFullException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      changeMuch();
                      beFull();
                    }));
    assertThatAllIsAsBefore();
    map.put("b", "3");
    assertThat(map).hasSize(2);
  }

  /// What others have built on can't be rolled back, and is not stored in part: the store fails,
  /// and the next opening undoes it, and what depends on it.
  @Test
  void held1WhatOthersHaveBuiltOnIsNotStoredInPart() {
    try (Baton threads = new Baton()) {
      assertThatExceptionOfType(RegionFullException.class)
          .isThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        changeMuch();
                        threads.run(
                            "other",
                            () -> store.relaxed(() -> map.merge("a", "+", String::concat)));
                        beFull();
                      }));
    }
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(() -> map.put("b", "3"))
        .withMessageContaining("the store failed");
    store.close();
    haveRoom();
    open(memory);
    assertThatAllIsAsBefore();
  }

  /// A lock that is given up can't be kept, so the store fails.
  @Test
  void held1AfterALockTheStoreFails() {
    DurableLock lock = new DurableLock();
    lock.lock();
    changeMuch();
    beFull();
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(lock::unlock)
        .withMessageContaining("the store failed");
    assertThatExceptionOfType(IllegalMonitorStateException.class)
        .as("it is given up")
        .isThrownBy(lock::unlock);
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(() -> map.put("b", "3"))
        .withMessageContaining("the store failed")
        .withCauseInstanceOf(RegionFullException.class);
    store.close();
    haveRoom();
    open(memory);
    assertThatAllIsAsBefore();
  }

  @Test
  void held1ByAWaitTheStoreFails() {
    DurableLock lock = new DurableLock();
    Condition condition = lock.newCondition();
    lock.lock();
    try {
      changeMuch();
      beFull();
      assertThatExceptionOfType(HoldfastException.class)
          .isThrownBy(condition::await)
          .withMessageContaining("the store failed");
    } finally {
      lock.unlock();
    }
    store.close();
    haveRoom();
    open(memory);
    assertThatAllIsAsBefore();
  }

  /// A map that others delete while a section has changes of it.
  @Test
  void claim3AMapThatIsDeletedMeanwhile() {
    try (Baton threads = new Baton()) {
      store.relaxed(
          () -> {
            map.put("a", "2");
            other.put("a", "2");
            threads.run("other", () -> store.relaxed(() -> store.delete("other")));
          });
      assertThat(map).containsEntry("a", "2");
      assertThatExceptionOfType(RootDeletedException.class).isThrownBy(() -> other.put("a", "3"));
      store.sync();
      threads.run("other", store::sync);
    }
    store.close();
    store = Holdfast.over(memory);
    assertThat(store.roots()).extracting(NamedRoot::name).containsExactly("map");
    map = store.hashMap("map", String.class, String.class);
    assertThat(map).isEqualTo(Map.of("a", "2"));
  }
}
