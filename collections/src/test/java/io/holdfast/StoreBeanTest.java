package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreMXBean.OpenSectionState;
import io.holdfast.StoreMXBean.RootState;
import io.holdfast.StoreMXBean.WaitingState;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The JMX bean of a store.
final class StoreBeanTest {
  @TempDir private Path directory;

  @Test
  void itTellsWhatIsThereAndGoesWithTheStore() throws Exception {
    Path file = directory.toRealPath().resolve("shop, \"a=b\".hf");
    try (Holdfast store = Holdfast.open(file)) {
      var map = store.hashMap("map", Long.class, Long.class);
      var queue = store.queue("queue", Long.class);
      var tree = store.treeMap("tree", Long.class, Long.class);
      StoreMXBean bean = StoreBeans.of(file);
      long sections = bean.getSectionsDurable();
      long mapChanges = root(bean, "map").changes();
      for (long i = 0; i < 10; i++) {
        map.put(i, i);
        queue.add(i);
        tree.put(i, i);
      }
      queue.poll();
      map.remove(1L);

      assertThat(bean.getPath()).isEqualTo(file.toString());
      assertThat(bean.getDurability()).isEqualTo("PROCESS_CRASH");
      assertThat(bean.getRecovery()).isEqualTo("created");
      assertThat(bean.getLengthBytes()).isEqualTo(1 << 20);
      assertThat(bean.getFences()).isZero();
      assertThat(bean.getSectionsOpen()).isEmpty();
      assertThat(root(bean, "map").entries()).isEqualTo(9);
      assertThat(root(bean, "map").changes()).isEqualTo(mapChanges + 11);
      assertThat(root(bean, "queue")).isEqualTo(new RootState("queue", "queue", 9, 11));
      assertThat(root(bean, "tree")).isEqualTo(new RootState("tree", "treeMap", -1, 10));
      assertThat(tree.size()).isEqualTo(10);
      assertThat(root(bean, "tree").entries()).isEqualTo(10);
      store.atomically(
          () -> {
            map.put(1L, 2L);
            queue.add(2L);
            assertThat(bean.getSectionsOpen())
                .containsExactly(new OpenSectionState(Thread.currentThread().getName(), "", -1));
          });
      assertThat(bean.getSectionsDurable()).isGreaterThan(sections);
    }
    assertThat(StoreBeans.isThere(file)).isFalse();
  }

  @Test
  void theLockOfAnOpenSection() throws Exception {
    Path file = directory.toRealPath().resolve("a.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<Long> queue = store.queue("queue", Long.class);
      StoreMXBean bean = StoreBeans.of(file);
      DurableLock lock = new DurableLock();
      DurableReadWriteLock locks = new DurableReadWriteLock();

      assertThat(lockOfSection(bean, queue, lock)).isEqualTo("io.holdfast.DurableLock");
      assertThat(lockOfSection(bean, queue, locks.readLock()))
          .isEqualTo("io.holdfast.DurableReadWriteLock");
      lock.lock();
      assertThat(lockOfSection(bean, queue, locks.writeLock()))
          .as("the first of two")
          .isEqualTo("io.holdfast.DurableLock");
      lock.unlock();
      store.atomically(
          () -> assertThat(lockOfSection(bean, queue, lock)).as("begun without").isEmpty());
    }
  }

  @Test
  void p8WhatWaitsAndForWhom() throws Exception {
    Path file = directory.toRealPath().resolve("a.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      StoreMXBean bean = StoreBeans.of(file);
      assertThat(bean.getSectionsWaiting()).isEqualTo(new WaitingState(0, 0, "", "", 0));
      DurableLock lock = new DurableLock();
      lock.lock();
      map.put(1L, 1L);
      Thread waits = Thread.ofPlatform().start(() -> map.put(1L, 2L));
      waits.join();

      WaitingState waiting = bean.getSectionsWaiting();
      assertThat(waiting.sections()).isEqualTo(1);
      assertThat(waiting.longestMillis()).isNotNegative();
      assertThat(waiting.blocker()).isEqualTo(Thread.currentThread().getName());
      assertThat(waiting.blockerLock()).isEqualTo("io.holdfast.DurableLock");
      assertThat(waiting.waiters()).isEqualTo(1);
      lock.unlock();
      assertThat(bean.getSectionsWaiting().sections()).isZero();
    }
  }

  private static String lockOfSection(StoreMXBean bean, PersistentQueue<Long> queue, Lock lock) {
    lock.lock();
    try {
      queue.add(1L);
      return bean.getSectionsOpen().getFirst().lock();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aBackupIsMadeWhereTheCallerSaysAndReplacesNothing() throws Exception {
    Path file = directory.toRealPath().resolve("a.hf");
    Path backup = directory.toRealPath().resolve("backup.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("queue", Long.class).add(1L);
      StoreMXBean bean = StoreBeans.of(file);
      assertThatThrownBy(() -> bean.backup("holdfast-relative.hf", Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the path is relative");
      assertThat(Path.of("holdfast-relative.hf")).doesNotExist();
      assertThat(bean.backup(backup.toString(), Long.MAX_VALUE).bytes())
          .isEqualTo(Files.size(backup));
      FileTime made = Files.getLastModifiedTime(backup);
      assertThatThrownBy(() -> bean.backup(backup.toString(), Long.MAX_VALUE))
          .hasMessageContaining("there is a file of this name");
      assertThat(Files.getLastModifiedTime(backup)).isEqualTo(made);
    }
  }

  private static RootState root(StoreMXBean bean, String name) {
    return bean.getRoots().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
