package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What programs see of a section that is rolled back because the device is full.
class HoldfastRollbackTest {
  private static final String TOO_LONG = "l".repeat(2_000_000);

  private final RecordingMemory memory = new RecordingMemory();

  @Test
  void whatASectionOpenedAndDid() {
    List<String> ran = new ArrayList<>();
    List<PersistentQueue<String>> made = new ArrayList<>();
    try (Holdfast store = Holdfast.over(memory)) {
      PersistentQueue<String> orders = store.queue("orders", String.class);
      orders.addAll(List.of("one", "two"));
      orders.add("x".repeat(100_000));
      assertThat(orders.remove("x".repeat(100_000))).isTrue(); // room for small things
      memory.limitTo(memory.length());
      assertThatThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        made.add(store.queue("bills", String.class));
                        made.getFirst().add("bill for " + orders.remove());
                        store.onDurable(() -> ran.add("mail the bill"));
                        orders.add(TOO_LONG);
                      }))
          .isInstanceOf(RegionFullException.class)
          .hasMessageContaining("The section was rolled back");
      assertThat(orders).containsExactly("one", "two");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(RootDeletedException.class)
            .isThrownBy(() -> made.getFirst().add("lost"))
            .withMessageContaining("the section that created it was rolled back");
        assertThatExceptionOfType(RootDeletedException.class).isThrownBy(made.getFirst()::poll);
        assertThatExceptionOfType(RootDeletedException.class).isThrownBy(made.getFirst()::iterator);
      }
      store.atomically(
          () -> {
            store.onDurable(() -> ran.add("mail it"));
            store.queue("bills", String.class).add("bill for " + orders.remove());
          });
      assertThat(store.queue("bills", String.class)).containsExactly("bill for one");
    }
    assertThat(ran).containsExactly("mail it");
    try (Holdfast store = Holdfast.over(memory)) {
      assertThat(store.queue("orders", String.class)).containsExactly("two");
      assertThat(store.queue("bills", String.class)).containsExactly("bill for one");
    }
  }

  /// A program that catches the exception inside of the section, and goes on, has not got round it.
  @Test
  void whoCatchesItInside() {
    try (Holdfast store = Holdfast.over(memory)) {
      PersistentQueue<String> orders = store.queue("orders", String.class);
      memory.limitTo(memory.length());
      assertThatThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        orders.add("one");
                        try {
                          orders.add(TOO_LONG);
                        } catch (RegionFullException e) {
                          orders.add("instead");
                        }
                      }))
          .isInstanceOf(RegionFullException.class)
          .hasMessageContaining("It takes no more stores")
          .hasCauseInstanceOf(RegionFullException.class);
      assertThat(orders).isEmpty();
      assertThatThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        orders.add("one");
                        try {
                          orders.add(TOO_LONG);
                        } catch (RegionFullException e) {
                          // nothing is silent
                        }
                      }))
          .isInstanceOf(RegionFullException.class)
          .hasMessageContaining("nothing that it did in this store is there");
      orders.add("next");
      assertThat(orders).containsExactly("next");
    }
  }
}
