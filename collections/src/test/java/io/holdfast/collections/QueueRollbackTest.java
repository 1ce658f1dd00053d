package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.core.RegionFullException;
import io.holdfast.testkit.RecordingMemory;
import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Queues in sections that are rolled back because the device is full: on media and in memory they
/// are what they were, and go on.
class QueueRollbackTest {
  private static final List<String> GIVEN = IntStream.range(0, 20).mapToObj(i -> "e" + i).toList();

  private final RecordingMemory memory = new RecordingMemory();
  private QueueRegion store;
  private PersistentQueue<String> q;

  @BeforeEach
  void open() {
    store = QueueRegion.open(memory);
    q = store.createUsed("q");
    q.addAll(GIVEN);
    memory.limitTo(memory.length());
  }

  @AfterEach
  void goesOn() {
    store.checkBlocks();
    assertThat(q.validate()).isEqualTo(q.size());
    List<String> before = List.copyOf(q);
    memory.limitTo(Long.MAX_VALUE);
    q.add(text("large", 2_000_000));
    assertThat(q.removeIf(element -> element.startsWith("large"))).isTrue();
    store.close();
    try (QueueRegion again = QueueRegion.open(memory)) {
      assertThat(again.queue("q")).containsExactlyElementsOf(before);
      again.check();
    }
  }

  /// Asks for more than there is.
  private void fail() {
    assertThatThrownBy(() -> store.region().heap().allocate(10_000_000))
        .isInstanceOf(RegionFullException.class)
        .hasMessageContaining("rolled back");
  }

  private void assertUnchanged() {
    assertThat(q).hasSameSizeAs(GIVEN).containsExactlyElementsOf(GIVEN);
    assertThat(q.validate()).isEqualTo(GIVEN.size());
    assertThat(q.peek()).isEqualTo(GIVEN.getFirst());
  }

  @Test
  void offersAndPollsAreTakenBack() {
    for (int round = 0; round < 3; round++) {
      atomically(
          () -> {
            for (int i = 0; i < 2 * QueueBlocks.LINES; i++) { // over blocks' ends
              q.add("n" + i);
            }
            q.add(text("outside", 10_000));
            for (int i = 0; i < 2 * QueueBlocks.LINES; i++) {
              q.remove();
            }
            q.removeIf(element -> element.endsWith("1"));
            fail();
            assertUnchanged();
            assertThatThrownBy(() -> q.add("refused")).isInstanceOf(RegionFullException.class);
            assertThatThrownBy(() -> q.poll()).isInstanceOf(RegionFullException.class);
            assertThatThrownBy(() -> q.remove("e3")).isInstanceOf(RegionFullException.class);
            assertUnchanged();
          });
      assertUnchanged();
    }
    store.checkBlocks();
    atomically(
        () -> {
          q.add("kept");
          assertThat(q.poll()).isEqualTo("e0");
        });
  }

  /// Elements that the same operation has moved before it failed.
  @Test
  void drainTo() {
    Deque<String> moved = new ArrayDeque<>();
    Collection<String> target =
        new AbstractCollection<>() {
          @Override
          public boolean add(String element) {
            if (moved.size() == 5) {
              store.region().heap().allocate(10_000_000);
            }
            return moved.add(element);
          }

          @Override
          public Iterator<String> iterator() {
            return moved.iterator();
          }

          @Override
          public int size() {
            return moved.size();
          }
        };
    assertThatThrownBy(() -> q.drainTo(target)).isInstanceOf(RegionFullException.class);
    assertUnchanged();
    moved.clear();
    atomically(
        () -> assertThatThrownBy(() -> q.drainTo(target)).isInstanceOf(RegionFullException.class));
    assertUnchanged();
  }

  @Test
  void aQueueThatIsCreatedInTheSection() {
    atomically(
        () -> {
          store.create("new").addAll(GIVEN);
          fail();
          assertThat(store.region().roots().find("new")).isNull();
        });
    store.forget("new");
    store.create("new");
  }

  @Test
  void iteratorsGoOn() {
    Iterator<String> each = q.iterator();
    assertThat(each.next()).isEqualTo("e0");
    List<Iterator<String>> inside = new ArrayList<>();
    atomically(
        () -> {
          for (int i = 0; i < 15; i++) {
            q.remove();
          }
          for (int i = 0; i < 2 * QueueBlocks.LINES; i++) {
            q.add("new" + i);
          }
          inside.add(q.iterator());
          inside.add(q.iterator());
          inside.get(1).next();
          for (int i = 0; i < 10 + QueueBlocks.LINES; i++) {
            inside.get(0).next();
          }
          fail();
        });
    each.next();
    each.remove(); // before what was taken back
    inside.get(0).remove(); // of what was never there
    assertThat(inside.get(0).next()).startsWith("new"); // what it had found before
    assertThat(inside.get(0)).isExhausted();
    assertThat(inside.get(1).next()).isEqualTo("e16");
    inside.get(1).remove();
    assertThat(q).hasSize(18).doesNotContain("e1", "e16");
    List<String> rest = new ArrayList<>();
    each.forEachRemaining(rest::add);
    assertThat(rest).startsWith("e2").endsWith("e19").hasSize(17);
  }
}
