package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A workload of everything that needs room, in which the N-th growth of the file is refused, or
/// the N-th span, for N = 1, 2, 3 and so on: the step that fails has changed nothing, the store is
/// usable at once and when it is opened again, and when there is room everything goes on.
///
/// The oracle is a store on a device with room, which does the steps that were not refused.
@ExtendWith(QuietRecoveries.class)
class FullDeviceTest {
  private static final long INITIAL_BYTES = 4 << 20;
  private static final Object OUTER = new Object(), INNER = new Object();

  /// A section, or an operation that is one.
  private record Step(String name, Consumer<QueueRegion> action) {}

  private static Step step(String name, Consumer<QueueRegion> action) {
    return new Step(name, action);
  }

  private static PersistentQueue<String> q(QueueRegion store) {
    return store.queue("q");
  }

  private static PersistentQueue<String> r(QueueRegion store) {
    return store.queue("r");
  }

  private static void add(PersistentQueue<String> queue, int count, int length) {
    for (int i = 0; i < count; i++) {
      queue.add(text("e" + i, length));
    }
  }

  private static List<Step> workload() {
    return List.of(
        step("create q", store -> store.create("q")),
        step("create r", store -> store.create("r")),
        step("offer", store -> q(store).add("first")),
        step("offer of a span", store -> q(store).add(text("span", 60_000))),
        step("offer of many spans", store -> r(store).add(text("spans", 300_000))),
        step("many offers in a section", store -> atomically(() -> add(q(store), 300, 100))),
        step("poll", store -> q(store).remove()),
        step(
            "more than a chunk of log",
            store ->
                atomically(
                    () -> {
                      add(q(store), 2_500, 10);
                      r(store).add("x");
                    })),
        step(
            "moves, in nested locks",
            store -> {
              SectionHooks.acquired(OUTER);
              try {
                q(store).add("before");
                SectionHooks.acquired(INNER);
                try {
                  add(r(store), 20, 3_000);
                } finally {
                  SectionHooks.releasing(INNER);
                }
                q(store).add(q(store).remove());
                r(store).add(text("large", 200_000));
              } finally {
                SectionHooks.releasing(OUTER);
              }
            }),
        step(
            "a root and its elements",
            store ->
                atomically(
                    () -> {
                      store.create("new");
                      add(store.queue("new"), 50, 1_900);
                      r(store).add(text("large", 140_000));
                    })),
        step("frees", store -> atomically(() -> r(store).removeIf(e -> e.length() > 250_000))),
        step("bulk stores", FullDeviceTest::bulkStores),
        step("the log's memory again", store -> atomically(() -> add(q(store), 2_200, 10))),
        step(
            "drain and fill",
            store ->
                atomically(
                    () -> {
                      List<String> taken = new ArrayList<>();
                      q(store).drainTo(taken, 2_000);
                      r(store).addAll(taken.subList(0, 1_000));
                      r(store).add(text("large", 190_000));
                    })),
        step("last", store -> r(store).add(text("last", 1_300_000))));
  }

  /// A block that is filled in the section, and stored to by ranges, after changes of a queue.
  private static void bulkStores(QueueRegion store) {
    atomically(
        () -> {
          Section section = store.region().sections().current();
          q(store).add("with bulk stores");
          long block = store.region().heap().allocate(300_000);
          store.region().memory().zeroPlain(block, 300_000);
          section.fill(block, 300_000 / 8, 7);
          section.copy(block, block + 100_000, 150_000);
          store.region().heap().free(block);
          r(store).add(text("behind", 50_000));
        });
  }

  @Test
  void theNthGrowthIsRefused() {
    int number = 1;
    while (run(new Device(number, -1))) {
      number++;
    }
    assertThat(number).as("growths that were refused").isGreaterThan(2);
  }

  @Test
  void theNthSpanIsRefused() {
    for (int spans = 0; spans < 50; spans += spans < 24 ? 1 : 5) {
      assertThat(run(new Device(0, spans))).isTrue();
    }
  }

  /// What is refused.
  ///
  /// @param growth which growth; 0 if spans are
  /// @param spans how many there are
  private record Device(int growth, int spans) {
    RecordingMemory memory() {
      return new RecordingMemory();
    }

    QueueRegion open(RecordingMemory memory) {
      QueueRegion store =
          QueueRegion.open(memory, growth > 0 ? RegionLayout.MIN_BYTES : INITIAL_BYTES);
      if (growth > 0) {
        memory.refuseGrowth(growth);
      } else {
        PersistentQueue<String> filler = store.create("filler");
        memory.limitTo(memory.length());
        try {
          while (true) {
            filler.add(text("f", 60_000));
          }
        } catch (RegionFullException e) {
          // It is full.
        }
        for (int i = 0; i < spans; i++) {
          filler.remove();
        }
      }
      return store;
    }

    void hasRoom(RecordingMemory memory) {
      memory.refuseGrowth(0);
      memory.limitTo(Long.MAX_VALUE);
    }
  }

  /// @return whether something was refused
  private static boolean run(Device device) {
    RecordingMemory memory = device.memory();
    RecordingMemory memoryOfOracle = device.memory();
    QueueRegion oracle = device.open(memoryOfOracle);
    device.hasRoom(memoryOfOracle);
    QueueRegion store = device.open(memory);
    boolean refused = false;
    for (Step step : workload()) {
      try {
        step.action.accept(store);
      } catch (RegionFullException e) {
        refused = true;
        assertSame(device + ", refused: " + step.name, store, oracle);
        reopened(memory, oracle);
        if (store.region().roots().find("q") != null) {
          use(q(store));
          assertSame(device + ", used: " + step.name, store, oracle);
        }
        store.forget("new");
        device.hasRoom(memory); // the space returns
        step.action.accept(store);
      }
      step.action.accept(oracle);
    }
    assertSame(device + ", all done", store, oracle);
    store.close();
    reopened(memory, oracle);
    oracle.close();
    return refused;
  }

  /// What needs no room can be done on a full device.
  private static void use(PersistentQueue<String> queue) {
    String first = queue.poll();
    if (first != null) {
      String second = queue.peek();
      assertThat(second == null || !queue.isEmpty()).isTrue();
      int size = queue.size();
      List<String> rest = new ArrayList<>();
      queue.drainTo(rest, 0);
      assertThat(queue).hasSize(size);
      queueFirst(queue, first);
    }
  }

  /// Puts an element back at the head: all out, and in again.
  private static void queueFirst(PersistentQueue<String> queue, String first) {
    List<String> rest = new ArrayList<>();
    for (String each = queue.poll(); each != null; each = queue.poll()) {
      rest.add(each);
    }
    queue.add(first);
    queue.addAll(rest);
  }

  private static void reopened(RecordingMemory memory, QueueRegion oracle) {
    try (QueueRegion again = QueueRegion.open(memory.copy())) {
      assertSame("opened again", again, oracle);
      again.check();
    }
  }

  private static void assertSame(String when, QueueRegion store, QueueRegion oracle) {
    Map<String, List<String>> expected = oracle.state();
    assertThat(store.state()).as(when).isEqualTo(expected);
    store.checkBlocks();
    expected.forEach(
        (name, elements) -> {
          PersistentQueue<String> queue = store.queue(name);
          assertThat(queue.validate()).as(when).isEqualTo(queue.size()).isEqualTo(elements.size());
        });
  }
}
