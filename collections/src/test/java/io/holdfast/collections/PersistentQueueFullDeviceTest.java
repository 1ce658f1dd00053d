package io.holdfast.collections;

import static io.holdfast.collections.PersistentQueueCrashTest.inSection;
import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.QueueRegion.elementsLeaving;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A queue whose device is full: what finds no room is refused and has changed nothing (P8).
@ExtendWith(QuietRecoveries.class)
class PersistentQueueFullDeviceTest {
  private static final int MAX_INLINE = QueueBlocks.MAX_INLINE_BYTES;
  private static final int BLOCK_OF_ITS_OWN = 60_000;

  private static PersistentQueue<String> q(QueueRegion store) {
    return store.queue("q");
  }

  /// A device that is full: the operation is refused, and the queue is as before, then and when it
  /// is opened again.
  @Test
  void p8FullDevice() {
    for (int seed = 0; seed < 20; seed++) {
      fillDevice(seed);
    }
  }

  private static void fillDevice(int seed) {
    Random random = new Random(seed);
    RecordingMemory memory = new RecordingMemory();
    memory.limitTo(1 << 20);
    try (QueueRegion store = QueueRegion.open(memory)) {
      PersistentQueue<String> queue = store.create("q");
      Deque<String> model = new ArrayDeque<>();
      int refused = 0;
      for (int i = 0; refused < 20; i++) {
        String element = text("e" + i, random.nextInt(random.nextBoolean() ? 3_000 : 200_000));
        try {
          queue.add(element);
          model.add(element);
        } catch (RegionFullException e) {
          refused++;
          assertThat(queue.size()).isEqualTo(model.size());
          for (int polls = random.nextInt(5); polls > 0; polls--) {
            assertThat(queue.poll()).as("seed %d", seed).isEqualTo(model.poll());
          }
        }
      }
      assertThat(queue).as("seed %d", seed).containsExactlyElementsOf(model);
      memory.limitTo(Long.MAX_VALUE);
      try (QueueRegion again = QueueRegion.open(memory.copy())) {
        assertThat(again.queue("q")).as("seed %d", seed).containsExactlyElementsOf(model);
        again.check();
      }
      store.check();
    }
  }

  /// A full device, after some elements were added to `r` in the same section, so that its log is
  /// full before, in the middle of or after the operation: the operation is refused and nothing of
  /// the section is there, or it is done.
  @ParameterizedTest(name = "{0}")
  @MethodSource("operationsOfSeveralStores")
  void p8FullLog(String name, List<String> elements, Consumer<PersistentQueue<String>> operation) {
    fillLogs(elements, store -> operation.accept(q(store)));
  }

  @Test
  void p8FullLogAtCreation() {
    fillLogs(List.of("a"), store -> assertThat(store.create("new")).isEmpty());
  }

  private static void fillLogs(List<String> elements, Consumer<QueueRegion> operation) {
    int refused = 0;
    for (int added = 35; added <= 55; added++) {
      refused += fillLog(elements, operation, added) ? 1 : 0;
    }
    assertThat(refused).isBetween(1, 20);
  }

  /// `fillLog` uses up a line before it adds the elements.
  static Stream<Arguments> operationsOfSeveralStores() {
    String outside = text("o", MAX_INLINE + 1);
    return Stream.of(
        inSection("offer, next block", List.of(elementsLeaving(1)), q -> q.add("x")),
        inSection("offer, outside", List.of("a"), q -> q.add(outside)),
        inSection("offer, both", List.of(elementsLeaving(1)), q -> q.add(outside)),
        inSection("poll, outside", List.of(outside), q -> q.remove()),
        inSection("remove(Object)", List.of("a", outside), q -> q.remove(outside)));
  }

  /// @return whether the operation was refused
  private static boolean fillLog(
      List<String> elements, Consumer<QueueRegion> operation, int added) {
    RecordingMemory memory = new RecordingMemory();
    boolean[] refused = new boolean[1];
    List<List<String>> expected = new ArrayList<>();
    try (QueueRegion store = QueueRegion.open(memory)) {
      PersistentQueue<String> queue = store.createUsed("q");
      PersistentQueue<String> r = store.createUsed("r");
      r.add(text("keeps its slab", MAX_INLINE + 1));
      queue.add(text("leaves a free block", MAX_INLINE + 1));
      queue.remove();
      queue.addAll(elements);
      store.dirty(); // leaves free blocks for a creation
      fillSpans(store, memory);
      atomically(
          () -> {
            List<String> before = List.copyOf(queue);
            List<String> beforeOfR = List.copyOf(r);
            try {
              for (int i = 0; i < added; i++) {
                r.add("r");
              }
              operation.accept(store);
            } catch (RegionFullException e) {
              refused[0] = true;
              assertThat(queue).containsExactlyElementsOf(before);
              assertThat(r).containsExactlyElementsOf(beforeOfR);
              assertThat(r.validate()).isEqualTo(beforeOfR.size());
            }
            assertThat(queue.validate()).isEqualTo(queue.size());
            store.checkBlocks();
          });
      expected.add(List.copyOf(queue));
      expected.add(List.copyOf(r));
    }
    memory.limitTo(Long.MAX_VALUE);
    try (QueueRegion store = QueueRegion.open(memory)) {
      assertThat(List.copyOf(q(store))).isEqualTo(expected.get(0));
      assertThat(List.copyOf(store.queue("r"))).isEqualTo(expected.get(1));
      store.check();
    }
    return refused[0];
  }

  private static void fillSpans(QueueRegion store, RecordingMemory memory) {
    PersistentQueue<String> filler = store.create("filler");
    memory.limitTo(memory.length());
    try {
      while (true) {
        filler.add(text("f", BLOCK_OF_ITS_OWN));
      }
    } catch (RegionFullException e) {
      // As it should be.
    }
  }

  /// Room for an element's bytes, but none for the block that would hold it.
  @Test
  void p8FullDeviceBetweenTwoBlocks() {
    RecordingMemory memory = new RecordingMemory();
    try (QueueRegion store = QueueRegion.open(memory)) {
      PersistentQueue<String> queue = store.createUsed("q");
      queue.add(text("leaves a free block", MAX_INLINE + 1));
      queue.remove();
      queue.addAll(List.of(elementsLeaving(1)));
      fillSpans(store, memory);
      takeBlocks(store);
      int blocks = store.region().heap().validator().blocks().size();
      List<String> before = List.copyOf(queue);
      assertThatExceptionOfType(RegionFullException.class)
          .isThrownBy(() -> queue.add(text("x", MAX_INLINE + 1)));
      assertThat(store.region().heap().validator().blocks()).hasSize(blocks);
      assertThat(queue).containsExactlyElementsOf(before);
    }
  }

  /// Takes all blocks of a chain's size.
  private static void takeBlocks(QueueRegion store) {
    try {
      while (true) {
        atomically(() -> store.region().heap().allocate(QueueBlocks.BLOCK_BYTES));
      }
    } catch (RegionFullException e) {
      // As it should be.
    }
  }

  /// Creation on a full device leaves no block behind, whichever of its blocks finds no room.
  @Test
  void p8FullDeviceAtCreation() {
    RecordingMemory memory = new RecordingMemory();
    try (QueueRegion store = QueueRegion.open(memory)) {
      fillSpans(store, memory);
      int refused = 0;
      for (int i = 0; i < 200; i++) {
        String name = "q".repeat(i % 2 == 0 ? 1 + i : 300 + 3 * i); // blocks of many sizes
        try {
          store.create(name);
        } catch (RegionFullException e) {
          refused++;
          assertThat(store.region().roots().find(name)).isNull();
          if (refused % 20 == 0) {
            store.queue("filler").remove(); // a span for one of the sizes
          }
        }
        store.checkBlocks();
      }
      assertThat(refused).isBetween(20, 190);
    }
  }
}
