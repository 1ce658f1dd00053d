package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Keys of a map that open sections have changed, for the sections and for others.
@Timeout(60)
class KeyClaimsTest {
  @TempDir Path dir;
  private Holdfast store;
  private PersistentHashMap<String, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("claims.hf"));
    map = store.hashMap("map", String.class, Long.class);
    map.put("x", 1L);
    map.put("y", 1L);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// A section in a thread of its own, which goes on a step at a time.
  private final class Stepper implements AutoCloseable {
    private final Thread thread;
    private final List<Runnable> steps = new ArrayList<>();
    private boolean isOver;
    private Throwable thrown;

    Stepper() {
      thread = Thread.ofPlatform().start(() -> store.relaxed(this::run));
    }

    private synchronized void run() {
      while (!isOver) {
        while (steps.isEmpty() && !isOver) {
          try {
            wait();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
        if (!steps.isEmpty()) {
          try {
            steps.getFirst().run();
          } catch (RuntimeException | Error e) {
            thrown = e;
          }
          steps.removeFirst();
          notifyAll();
        }
      }
    }

    synchronized void step(Runnable step) {
      steps.add(step);
      notifyAll();
      while (!steps.isEmpty()) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      assertThat(thrown).isNull();
    }

    @Override
    public void close() {
      synchronized (this) {
        isOver = true;
        notifyAll();
      }
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void add(String key, long n) {
    map.merge(key, n, Long::sum);
  }

  @Test
  void nobodyLooksIntoASection() {
    try (Stepper section = new Stepper()) {
      section.step(() -> add("x", 10));
      section.step(() -> assertThat(map.get("x")).isEqualTo(11));
      assertThat(map.get("x")).isEqualTo(1);
      assertThat(map.size()).isEqualTo(2);
      section.step(() -> map.put("new", 1L));
      section.step(() -> assertThat(map).hasSize(3).containsEntry("new", 1L));
      assertThat(map).hasSize(2).doesNotContainKey("new");
    }
    assertThat(map).containsEntry("x", 11L).containsEntry("new", 1L);
  }

  @Test
  void claim1ASingleOperationBuildsOnAnOpenSection() {
    try (Stepper section = new Stepper()) {
      section.step(() -> add("x", 10));
      assertThat(map.merge("x", 100L, Long::sum)).isEqualTo(111);
      section.step(() -> assertThat(map.get("x")).isEqualTo(11));
    }
    assertThat(map.get("x")).isEqualTo(111);
  }

  /// It has seen what the section has changed, so what its thread stores later depends on that; it
  /// has stored nothing itself that would have to wait.
  @Test
  void claim1ALookThatChangesNothingIsNoSectionThatWaits() throws Exception {
    var sorted = store.treeMap("sorted", String.class, Long.class);
    sorted.put("x", 1L);
    StoreMXBean bean = StoreBeans.of(store.path());
    try (Stepper section = new Stepper()) {
      section.step(() -> add("x", 10));
      section.step(() -> sorted.put("x", 10L));
      for (int i = 0; i < 1_000; i++) {
        assertThat(map.replace("x", 1L, 2L)).isFalse();
        assertThat(sorted.replace("x", 1L, 2L)).isFalse();
        store.relaxed(() -> assertThat(map.remove("x", 1L)).isFalse());
      }
      assertThat(bean.getSectionsWaiting().sections()).isZero();
      map.put("y", 1L);
      assertThat(bean.getSectionsWaiting().sections()).isEqualTo(1);
    }
    assertThat(bean.getSectionsWaiting().sections()).isZero();
  }

  @Test
  void claim1APutOfWordsBuildsOnAnOpenSection() {
    PersistentHashMap<Long, Long> words = store.hashMap("words", Long.class, Long.class);
    words.put(1L, 1L);
    try (Stepper section = new Stepper()) {
      section.step(() -> words.merge(1L, 10L, Long::sum));
      section.step(() -> words.put(2L, 20L));
      assertThat(words.put(1L, 100L)).isEqualTo(11);
      assertThat(words.put(2L, 200L)).isEqualTo(20);
    }
    assertThat(words).hasSize(2).containsEntry(1L, 100L).containsEntry(2L, 200L);
  }

  @Test
  void claim1TwoSectionsBuildOnEachOther() {
    try (Stepper one = new Stepper();
        Stepper other = new Stepper()) {
      one.step(() -> add("x", 10));
      other.step(() -> add("y", 10));
      other.step(() -> add("x", 100));
      one.step(() -> add("y", 100));
      one.step(() -> add("x", 1_000));
      assertThat(map).containsEntry("x", 1L).containsEntry("y", 1L);
    }
    assertThat(map).containsEntry("x", 1_111L).containsEntry("y", 111L);
    store.sync();
  }

  @Test
  void claim2WhatIsCoveredIsNotStored() {
    Stepper first = new Stepper();
    try (Stepper second = new Stepper()) {
      first.step(() -> add("x", 10));
      second.step(() -> add("x", 100));
    }
    assertThat(map.get("x")).isEqualTo(111);
    first.step(() -> add("y", 10));
    first.close();
    assertThat(map).containsEntry("x", 111L).containsEntry("y", 11L);
  }

  @Test
  void removalsAndReplacementsAreBuiltOn() {
    try (Stepper section = new Stepper()) {
      section.step(() -> map.remove("x"));
      assertThat(map.putIfAbsent("x", 5L)).isEqualTo(1); // before the section
      assertThat(map.merge("x", 5L, Long::sum)).isEqualTo(5); // after it
      assertThat(map.replace("x", 5L, 6L)).isTrue();
      section.step(() -> map.put("y", 2L));
      assertThat(map.replace("y", 1L, 9L)).isFalse();
      assertThat(map.remove("y", 2L)).isTrue();
    }
    assertThat(map).containsEntry("x", 6L).doesNotContainKey("y");
  }

  @Test
  void clearIsBuiltOnAll() {
    try (Stepper section = new Stepper()) {
      section.step(() -> add("x", 10));
      map.clear();
      section.step(() -> map.put("z", 1L));
    }
    assertThat(map).hasSize(1).containsEntry("z", 1L);
  }

  @Test
  void claim1NoUpdateIsLost() throws Exception {
    int threads = 4;
    int each = 5_000;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      int its = t;
      Thread.ofPlatform()
          .start(
              () -> {
                for (int i = 0; i < each; i++) {
                  if (its % 2 == 0) {
                    store.atomically(
                        () -> {
                          add("x", 1);
                          add("y", 1);
                        });
                  } else {
                    add("y", 1);
                    add("x", 1);
                  }
                }
                done.countDown();
              });
    }
    done.await();
    assertThat(map).containsEntry("x", 1L + threads * each).containsEntry("y", 1L + threads * each);
  }

  @Test
  void sectionsOfDifferentKeysShareNothing() throws Exception {
    int threads = 8;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      int its = t;
      Thread.ofPlatform()
          .start(
              () -> {
                for (int i = 0; i < 500; i++) {
                  int at = i;
                  store.atomically(
                      () -> {
                        add("from " + its + " " + at % 50, -1);
                        Thread.yield();
                        add("to " + its + " " + at % 50, 1);
                      });
                }
                done.countDown();
              });
    }
    done.await();
    assertThat(StoreBeans.of(dir.resolve("claims.hf")).getDependencies()).isZero();
    assertThat(map.values().stream().mapToLong(v -> v).sum()).isEqualTo(2);
  }
}
