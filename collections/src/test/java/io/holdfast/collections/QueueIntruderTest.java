package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Two threads at one queue, one of them in the middle of what the other does: for what its two
/// locks are.
class QueueIntruderTest {
  /// Of bytes in a block of their own, which another element gets when this one is gone.
  private static final int OUTSIDE = 3_000;

  private static Intruder<QueueRegion> intruder(String... elements) {
    return new Intruder<>(
        memory -> {
          QueueRegion store = QueueRegion.open(memory);
          store.createUsed("q").addAll(List.of(elements));
          return store;
        },
        store -> {
          store.check();
          return store.state();
        });
  }

  private interface Operation {
    Object on(PersistentQueue<String> queue);
  }

  private static Function<QueueRegion, Object> at(Operation operation) {
    return store -> operation.on(store.queue("q"));
  }

  private static Function<QueueRegion, Object> offer(String element) {
    return at(queue -> queue.offer(element));
  }

  private static final Function<QueueRegion, Object> POLL = at(PersistentQueue::poll);
  private static final Function<QueueRegion, Object> VALIDATE = at(PersistentQueue::validate);

  @Test
  void offers() throws Exception {
    assertThat(intruder("a").inAnyOrder(offer("x"), offer(RawCodec.text("long", 200))))
        .isPositive();
    intruder("a").inAnyOrder(offer("x"), VALIDATE);
    intruder("a").inAnyOrder(VALIDATE, offer("x"));
  }

  @Test
  void polls() throws Exception {
    intruder("a", "b").inAnyOrder(POLL, POLL);
    intruder("a").inAnyOrder(POLL, offer("x"));
    intruder("a").inAnyOrder(POLL, VALIDATE);
  }

  @Test
  void looks() throws Exception {
    String first = RawCodec.text("first", OUTSIDE);
    intruder(first, "b")
        .inAnyOrder(
            at(PersistentQueue::peek),
            at(
                queue -> {
                  List<String> taken = new ArrayList<>();
                  taken.add(queue.poll());
                  queue.offer(RawCodec.text("other", OUTSIDE));
                  return taken;
                }));
  }

  @Test
  void drains() throws Exception {
    Function<QueueRegion, Object> drain =
        at(
            queue -> {
              List<String> drained = new ArrayList<>();
              queue.drainTo(drained);
              return drained;
            });
    intruder("a", "b", "c").inAnyOrder(drain, POLL);
    intruder("a", "b", "c").inAnyOrder(drain, drain);
  }

  @Test
  void removals() throws Exception {
    Function<QueueRegion, Object> removal = at(queue -> queue.remove("b"));
    intruder("a", "b", "c").inAnyOrder(removal, removal);
    intruder("a", "b", "c").inAnyOrder(removal, at(queue -> queue.remove("c")));
    intruder("b", "c").inAnyOrder(removal, POLL);
    intruder("b", "c").inAnyOrder(POLL, removal);
    intruder("a", "b").inAnyOrder(removal, offer("x"));
  }

  /// QUEUE-4: who removes, and has come to the first element when another thread begins to offer,
  /// does not find what that one has stored before its section ends.
  @Test
  void removalBesideAnOffer() throws Exception {
    int stores = 0;
    while (removesBesideAnOffer(stores)) {
      stores++;
    }
    assertThat(stores).isGreaterThan(5);
  }

  /// @param stores that are done when the offer stops, if the removal lets it begin at all
  /// @return whether there are more
  private static boolean removesBesideAnOffer(int stores) throws Exception {
    String offered = RawCodec.text("offered", OUTSIDE);
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (QueueRegion store = QueueRegion.open(memory)) {
      PersistentQueue<String> queue = store.createUsed("q");
      queue.add("a");
      CompletableFuture<Void> removalsEnd = new CompletableFuture<>();
      FutureTask<Boolean> offer = new FutureTask<>(() -> queue.offer(offered));
      Thread offering = Thread.ofPlatform().daemon().unstarted(offer);
      int[] left = {stores};
      memory.beforeEachStore(
          () -> {
            if (Thread.currentThread().equals(offering) && left[0]-- == 0) {
              removalsEnd.join();
            }
          });
      Object sought =
          new Object() {
            @Override
            public boolean equals(Object element) {
              if (offering.getState() == Thread.State.NEW) {
                offering.start();
                Intruder.awaitEndOrWait(offering);
              }
              return element.equals(offered);
            }

            @Override
            public int hashCode() {
              return offered.hashCode();
            }
          };
      try {
        assertThat(queue.remove(sought)).isFalse();
      } finally {
        removalsEnd.complete(null);
      }
      assertThat(offer.get(60, TimeUnit.SECONDS)).isTrue();
      store.check();
      return left[0] < 0;
    }
  }
}
