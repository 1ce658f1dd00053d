package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.NotUndoneException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sections that an exception undoes, and those that it can't.
@ExtendWith(QuietRecoveries.class)
@Timeout(60)
class AllOrNothingTest {
  private static final String LONG = "l".repeat(10_000);

  private final RecordingMemory memory = new RecordingMemory();
  private final RuntimeException thrown = new RuntimeException("of the action");
  private Holdfast store;
  private PersistentHashMap<String, String> map;
  private PersistentTreeMap<String, String> tree;
  private PersistentQueue<String> queue;

  @BeforeEach
  void open() {
    store = Holdfast.over(memory);
    map = store.hashMap("map", String.class, String.class);
    tree = store.treeMap("tree", String.class, String.class);
    queue = store.queue("queue", String.class);
    map.putAll(Map.of("a", "1", "b", LONG));
    tree.putAll(Map.of("a", "1", "b", "2"));
    queue.addAll(List.of("one", "two", "three"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertThatAllIsAsBefore() {
    assertThat(map).isEqualTo(Map.of("a", "1", "b", LONG));
    assertThat(tree).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(queue).containsExactly("one", "two", "three");
    assertThat(store.roots())
        .extracting(NamedRoot::name)
        .containsExactlyInAnyOrder("map", "tree", "queue");
  }

  private void changeAll() {
    map.put("a", "2");
    map.remove("b");
    map.put("c", LONG);
    tree.put("a", "2");
    tree.remove("b");
    tree.put("c", LONG);
    queue.add("last " + queue.remove());
    for (int i = 0; i < 200; i++) {
      queue.add(i + LONG);
    }
    queue.remove();
  }

  /// As a JVM throws for the mapped file of another library.
  @Test
  void anInternalErrorOfTheActionUndoesIt() {
    InternalError anothers = new InternalError("of the action");
    assertThat(
            catchThrowable(
                () ->
                    store.allOrNothing(
                        () -> {
                          changeAll();
                          throw anothers;
                        })))
        .isSameAs(anothers);
    assertThatAllIsAsBefore();
  }

  @Test
  void withoutAnExceptionAllIsThere() {
    String result =
        store.allOrNothing(
            () -> {
              changeAll();
              return map.get("a");
            });
    assertThat(result).isEqualTo("2");
    assertThat(map).containsEntry("a", "2").containsKey("c").hasSize(2);
    assertThat(queue).hasSize(202);
  }

  @Test
  void anExceptionLeavesNothing() {
    List<String> ran = new ArrayList<>();
    assertThat(
            catchThrowable(
                () ->
                    store.allOrNothing(
                        () -> {
                          changeAll();
                          store.onDurable(() -> ran.add("undone"));
                          throw thrown;
                        })))
        .isSameAs(thrown);
    assertThatAllIsAsBefore();
    store.allOrNothing(
        () -> {
          store.onDurable(() -> ran.add("done"));
          queue.add("four");
          map.merge("a", "0", String::concat);
        });
    assertThat(queue).containsExactly("one", "two", "three", "four");
    assertThat(map).containsEntry("a", "10");
    store.close();
    assertThat(ran).containsExactly("done");
    open(memory);
    assertThat(queue).containsExactly("one", "two", "three", "four");
    assertThat(map).containsEntry("a", "10").containsEntry("b", LONG).hasSize(2);
    assertThat(queue.validate()).isEqualTo(4);
    assertThat(map.validate()).isEqualTo(2);
    assertThat(tree.validate()).isEqualTo(2);
  }

  private void open(RecordingMemory from) {
    store = Holdfast.over(from);
    map = store.hashMap("map", String.class, String.class);
    tree = store.treeMap("tree", String.class, String.class);
    queue = store.queue("queue", String.class);
  }

  /// Errors too; nothing is known of what the action has come to.
  @Test
  void anErrorLeavesNothing() {
    assertThatThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      changeAll();
                      throw new AssertionError("of the action");
                    }))
        .isExactlyInstanceOf(AssertionError.class);
    assertThatAllIsAsBefore();
  }

  /// What it allocated is free, and what it freed is in use.
  @Test
  void noBlockIsLost() {
    failAfter(() -> {});
    List<Object> before = blocks();
    failAfter(this::changeAll);
    failAfter(() -> store.queue("new", String.class).add(LONG));
    assertThat(blocks()).isEqualTo(before);
  }

  private List<Object> blocks() {
    try (Region region = Region.open(memory.copy(), RegionLayout.MIN_BYTES)) {
      return List.copyOf(region.heap().validator().blocks());
    }
  }

  private void failAfter(Runnable action) {
    assertThat(
            catchThrowable(
                () ->
                    store.allOrNothing(
                        () -> {
                          action.run();
                          throw thrown;
                        })))
        .isSameAs(thrown);
  }

  @Test
  void aCollectionThatItCreatedIsGone() {
    List<PersistentHashMap<String, String>> made = new ArrayList<>();
    List<PersistentQueue<String>> madeQueues = new ArrayList<>();
    failAfter(
        () -> {
          made.add(store.hashMap("new", String.class, String.class));
          made.getFirst().put("k", "v");
          madeQueues.add(store.queue("new queue", String.class));
          madeQueues.getFirst().add("e");
        });
    assertThatAllIsAsBefore();
    assertThatExceptionOfType(RootDeletedException.class)
        .isThrownBy(() -> made.getFirst().put("k", "v"));
    assertThatExceptionOfType(RootDeletedException.class)
        .isThrownBy(() -> madeQueues.getFirst().add("e"));
    store.allOrNothing(() -> store.hashMap("new", String.class, String.class).put("k", "w"));
    assertThat(store.hashMap("new", String.class, String.class)).isEqualTo(Map.of("k", "w"));
  }

  @Test
  void aCollectionThatItDeletedOrRenamedIsThere() {
    failAfter(
        () -> {
          store.delete("queue");
          store.rename("map", "other");
        });
    failAfter(
        () -> {
          map.put("a", "2");
          store.delete("map");
          store.delete("tree");
        });
    assertThatAllIsAsBefore();
    queue.add("four");
    map.put("c", "3");
    assertThat(store.queue("queue", String.class)).hasSize(4).isSameAs(queue);
    assertThat(store.hashMap("map", String.class, String.class)).hasSize(3).isSameAs(map);
  }

  /// Others saw what it did when it gave up the lock.
  @Test
  void whatOthersHaveSeenStays() {
    DurableLock lock = new DurableLock();
    try (Baton threads = new Baton()) {
      assertThatExceptionOfType(NotUndoneException.class)
          .isThrownBy(
              () ->
                  store.allOrNothing(
                      () -> {
                        map.put("a", "2");
                        lock.lock();
                        lock.unlock();
                        threads.run("other", () -> seen(lock));
                        map.put("c", "3");
                        throw thrown;
                      }))
          .withMessageContaining("what it did before stays")
          .withCause(thrown);
    }
    assertThat(map).containsEntry("a", "2").containsEntry("c", "3").containsEntry("seen", "2");
  }

  private void seen(DurableLock lock) {
    lock.lock();
    try {
      map.put("seen", map.get("a"));
    } finally {
      lock.unlock();
    }
  }

  /// It gave up a lock, and nobody came.
  @Test
  void whatNobodyHasSeenIsUndone() {
    DurableLock lock = new DurableLock();
    failAfter(
        () -> {
          map.put("a", "2");
          lock.lock();
          lock.unlock();
          map.put("c", "3");
        });
    assertThatAllIsAsBefore();
  }

  /// Another section has changed a key on top of this one's change.
  @Test
  void whatOthersHaveBuiltOnStays() {
    try (Baton threads = new Baton()) {
      assertThatExceptionOfType(NotUndoneException.class)
          .isThrownBy(
              () ->
                  store.allOrNothing(
                      () -> {
                        map.put("a", "2");
                        threads.run(
                            "other",
                            () -> store.relaxed(() -> map.merge("a", "+", String::concat)));
                        map.put("c", "3");
                        throw thrown;
                      }))
          .withCause(thrown);
    }
    assertThat(map).containsEntry("a", "2+").containsEntry("c", "3");
  }

  /// A key that was claimed by what is undone is free for others.
  @Test
  void whatWasClaimedIsGivenBack() {
    try (Baton threads = new Baton()) {
      failAfter(() -> map.put("a", "2"));
      threads.run("other", () -> map.merge("a", "+", String::concat));
      threads.run("other", () -> store.atomically(() -> map.merge("a", "+", String::concat)));
    }
    assertThat(map).containsEntry("a", "1++");
  }

  @Test
  void insideOfASectionItIsRefused() {
    List<String> ran = new ArrayList<>();
    assertThatIllegalStateException()
        .isThrownBy(() -> store.atomically(() -> store.allOrNothing(() -> ran.add("ran"))))
        .withMessageContaining("Use transaction");
    assertThat(ran).isEmpty();
  }

  @Test
  void inATransactionItIsPartOfThat() {
    assertThat(
            catchThrowable(
                () ->
                    store.transaction(
                        () -> {
                          map.put("c", "3");
                          store.allOrNothing(() -> map.put("a", "2"));
                          throw thrown;
                        })))
        .isSameAs(thrown);
    assertThatAllIsAsBefore();
    store.transaction(() -> store.allOrNothing(() -> map.put("a", "2")));
    assertThat(map).containsEntry("a", "2");
  }

  @Test
  void aTransactionInItIsUndoneWithIt() {
    failAfter(() -> store.transaction(() -> map.put("a", "2")));
    assertThatAllIsAsBefore();
  }

  /// The other form keeps what was done.
  @Test
  void atomicallyKeepsWhatWasDone() {
    assertThat(
            catchThrowable(
                () ->
                    store.atomically(
                        () -> {
                          map.put("a", "2");
                          queue.remove();
                          throw thrown;
                        })))
        .isSameAs(thrown);
    assertThat(map).containsEntry("a", "2");
    assertThat(queue).containsExactly("two", "three");
  }
}
