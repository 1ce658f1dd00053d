package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentQueue;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store outlives the classes of the program that made it.
class HoldfastEvolutionTest {
  record Order(long id, String text) {}

  record OrderWithNote(long id, String note, String text) {}

  record OrderWithCount(long id, String text, int count) {}

  record Twin(long id, String text) {}

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void anOrder() {
    file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("orders", Order.class).add(new Order(1, "apples"));
      store.queue("other", Integer.class).add(5);
    }
  }

  @Test
  void aRecordThatGainedAComponentReadsOldElementsAndNewOnes() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<OrderWithNote> orders = store.queue("orders", OrderWithNote.class);
      orders.add(new OrderWithNote(2, "urgent", "pears"));
      assertThat(store.queue("orders", OrderWithNote.class)).isSameAs(orders);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("orders", OrderWithNote.class))
          .containsExactly(
              new OrderWithNote(1, null, "apples"), new OrderWithNote(2, "urgent", "pears"));
      assertThat(store.queue("other", Integer.class)).containsExactly(5);
    }
  }

  @Test
  void aProgramOfTheEarlierFormIsRefusedFromThenOn() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("orders", OrderWithNote.class);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("orders", Order.class))
          .withMessage(
              file
                  + ": the queue \"orders\" cannot be opened with these types: record"
                  + " io.holdfast.HoldfastEvolutionTest$Order has lost note:String, which stored"
                  + " values have (or it was renamed). To go on: put it back; or copy the"
                  + " collection into another one with a program that has both forms");
      // What an element of theirs has in the place of the note is no count.
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("orders", OrderWithCount.class))
          .withMessageContaining("OrderWithCount has lost note:String");
      assertThat(store.queue("orders", OrderWithNote.class))
          .containsExactly(new OrderWithNote(1, null, "apples"));
    }
  }

  enum Letter {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K,
    L
  }

  enum WithMore {
    BEFORE,
    A,
    B,
    C,
    D,
    E,
    F,
    BETWEEN,
    G,
    H,
    I,
    J,
    K,
    L
  }

  enum FromBelow {
    BETWEEN,
    BEFORE,
    L,
    K,
    J,
    I,
    H,
    G,
    F,
    E,
    D,
    C,
    B,
    A
  }

  /// Their order is that of a sorted map, and nothing to a hash map.
  @Test
  void constantsInAnotherOrder() {
    try (Holdfast store = Holdfast.open(file)) {
      for (Letter letter : Letter.values()) {
        String value = letter.name().repeat(200); // in several leaves
        store.treeMap("sorted", Letter.class, String.class).put(letter, value);
        store.hashMap("hashed", Letter.class, String.class).put(letter, value);
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      var sorted = store.treeMap("sorted", WithMore.class, String.class);
      sorted.put(WithMore.BETWEEN, "new");
      assertThat(sorted.keySet()).containsExactlyElementsOf(EnumSet.range(WithMore.A, WithMore.L));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.treeMap("sorted", FromBelow.class, String.class))
          .withMessageStartingWith(
              file + ": the sorted map \"sorted\" cannot be opened with these types: its keys are")
          .withMessageContaining(" when they were stored");
      assertThat(store.treeMap("sorted", WithMore.class, String.class)).hasSize(13);
      assertThat(store.hashMap("hashed", FromBelow.class, String.class))
          .containsEntry(FromBelow.D, "D".repeat(200));
    }
  }

  /// The fingerprint and the first element of its form stand and fall together.
  @Test
  void changedAndUsedInOneSection() {
    try (Holdfast store = Holdfast.open(file)) {
      store.atomically(
          () ->
              store
                  .queue("orders", OrderWithNote.class)
                  .add(new OrderWithNote(2, "urgent", "pears")));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("orders", OrderWithNote.class)).hasSize(2);
    }
  }

  @Test
  void anOpenQueueIsOfOneClass() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("orders", Order.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("orders", Twin.class))
          .withMessage(
              file
                  + ": queue orders is open with elements of another class:"
                  + " found=record io.holdfast.HoldfastEvolutionTest$Order(id:long,text:String),"
                  + " asked=record io.holdfast.HoldfastEvolutionTest$Twin(id:long,text:String)");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("orders", OrderWithNote.class))
          .withMessageContaining("is open with elements of another class");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("orders", Twin.class)).containsExactly(new Twin(1, "apples"));
    }
  }

  @Test
  void aQueueOfLists() {
    Codec<List<Order>> before = Codec.listOf(Codec.of(Order.class));
    Codec<List<OrderWithNote>> after = Codec.listOf(Codec.of(OrderWithNote.class));
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("days", before).add(List.of(new Order(1, "a"), new Order(2, "b")));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("days", after))
          .containsExactly(
              List.of(new OrderWithNote(1, null, "a"), new OrderWithNote(2, null, "b")));
    }
  }
}
