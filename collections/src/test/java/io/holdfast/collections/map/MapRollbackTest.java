package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Maps in sections that are rolled back because the device is full: on media and in memory they
/// are what they were, and go on.
@ParameterizedClass
@EnumSource(Durability.class)
class MapRollbackTest {
  private static final int READS = 7;

  @Parameter Durability durability;

  private final RecordingMemory bytes = new RecordingMemory();
  private final HookedMemory hooked = new HookedMemory(bytes);
  private final Map<String, String> model = new TreeMap<>();
  private MapRegion store;

  private Memory memory(Memory of) {
    return durability == Durability.POWER_FAILURE ? FlushMode.POSTED.over(of) : of;
  }

  private void open(int shape) {
    store = MapRegion.open(memory(hooked), 1).create(shape);
    for (int i = 0; i < 200; i++) {
      put("key%05d".formatted(i), text("v" + i, i));
    }
    for (int i = 0; i < 20; i++) {
      put("key%05d".formatted(i), text("w" + i, 3 * i));
    }
    bytes.limitTo(bytes.length());
  }

  private void put(String key, String value) {
    store.put(key, value);
    model.put(key, value);
  }

  @AfterEach
  void goesOn() {
    assertUnchanged();
    store.checkBlocks();
    bytes.limitTo(Long.MAX_VALUE);
    for (int i = 0; i < 1_000; i++) {
      put("more%05d".formatted(i), text("x" + i, i % 90));
    }
    put("key00003", "again");
    assertUnchanged();
    try (MapRegion again = MapRegion.open(memory(bytes.copy()), 1)) {
      assertThat(again.all()).isEqualTo(model);
      again.check();
    }
    try (MapRegion again = MapRegion.open(memory(bytes.copy()), 2)) { // with a rebuild
      assertThat(again.all()).isEqualTo(model);
      again.check();
    }
    store.close();
  }

  private void assertUnchanged() {
    assertThat(store.all()).isEqualTo(model);
    assertThat(store.map().validate()).isEqualTo(store.map().size()).isEqualTo(model.size());
    model.forEach((key, value) -> assertThat(store.get(key)).isEqualTo(value));
  }

  /// Asks for more than there is.
  private void fail() {
    assertThatThrownBy(() -> store.region().heap().allocate(10_000_000))
        .isInstanceOf(RegionFullException.class)
        .hasMessageContaining("rolled back");
  }

  @Test
  void allIsTakenBack() {
    open(1);
    for (int round = 0; round < 3; round++) {
      atomically(
          () -> {
            for (int i = 0; i < 150; i++) {
              store.put("key%05d".formatted(i), text("new", i % 60));
              store.put("new%05d".formatted(i), text("new", i % 60));
            }
            for (int i = 100; i < 200; i++) {
              store.remove("key%05d".formatted(i));
            }
            store.putAll(Map.of("a", "1", "b", "2"));
            fail();
            assertUnchanged();
            assertThatThrownBy(() -> store.put("a", "refused"))
                .isInstanceOf(RegionFullException.class);
            assertThatThrownBy(() -> store.remove("key00001"))
                .isInstanceOf(RegionFullException.class);
            assertThatThrownBy(() -> store.putAll(Map.of("a", "1", "b", "2")))
                .isInstanceOf(RegionFullException.class);
            assertThatThrownBy(() -> store.map().clear()).isInstanceOf(RegionFullException.class);
            assertUnchanged();
          });
      assertUnchanged();
    }
    atomically(() -> put("key00002", "kept"));
  }

  @Test
  void aClearingIsTakenBack() {
    open(1);
    atomically(
        () -> {
          store.map().clear();
          store.put("key00001", "behind it");
          fail();
          assertUnchanged();
        });
  }

  /// The first entries of a map: its stripe, the index and chunks are taken back.
  @Test
  void whatASectionMadeIsTakenBack() {
    store = MapRegion.open(memory(hooked), 1).create();
    bytes.limitTo(bytes.length());
    atomically(
        () -> {
          for (int i = 0; i < 100; i++) {
            store.put("key" + i, text("v", i));
          }
          fail();
        });
  }

  /// A reader without a lock, in the middle of whose reads an open section that it has seen is
  /// taken back; its versions are given again.
  @Test
  void map9WhatWasTakenBackIsNotSeen() throws InterruptedException {
    open(0);
    for (int read = 0; read < READS; read++) {
      int now = read;
      SynchronousQueue<String> turns = new SynchronousQueue<>();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    SectionHooks.enter();
                    try {
                      store.put("key00010", "taken back");
                      pass(turns);
                      await(turns);
                      fail();
                    } finally {
                      SectionHooks.exit();
                    }
                    store.put("key00010", model.get("key00010"));
                    pass(turns);
                  });
      await(turns);
      int[] reads = new int[1];
      hooked.beforeEachRead(
          () -> {
            if (Thread.currentThread() != other && reads[0]++ == now) {
              pass(turns);
              await(turns);
            }
          });
      String found = store.get("key00010");
      hooked.beforeEachRead(() -> {});
      assertThat(reads[0]).as("reads").isGreaterThan(now);
      assertThat(found).as("taken back at read %d", now).isEqualTo(model.get("key00010"));
      other.join();
    }
  }

  private static void pass(SynchronousQueue<String> turns) {
    try {
      turns.put("turn");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(SynchronousQueue<String> turns) {
    try {
      turns.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
