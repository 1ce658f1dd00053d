package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.Intruder;
import java.util.ArrayList;
import java.util.List;
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
}
