package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads that open, rename and delete the same collection at once: there is one object for it.
class RootsThreadsTest {
  private static final int ROUNDS = 300;

  @TempDir Path directory;

  /// What two threads came to that have begun together.
  private record Both<A, B>(A one, B other) {}

  private static <A, B> Both<A, B> both(Callable<A> one, Callable<B> other) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    FutureTask<B> task =
        new FutureTask<>(
            () -> {
              start.await();
              return other.call();
            });
    Thread.ofPlatform().daemon().start(task);
    start.await();
    A first = one.call();
    return new Both<>(first, task.get());
  }

  private Holdfast open() {
    return Holdfast.open(directory.resolve("shop.hf"));
  }

  @Test
  void opened() throws Exception {
    try (Holdfast store = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        String name = "jobs " + i;
        Callable<PersistentQueue<String>> opening = () -> store.queue(name, String.class);
        Both<PersistentQueue<String>, PersistentQueue<String>> opened = both(opening, opening);
        assertThat(opened.one()).isSameAs(opened.other());
      }
      assertThat(store.roots()).hasSize(ROUNDS);
    }
  }

  @Test
  void renamedWhileItIsOpened() throws Exception {
    try (Holdfast store = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        String name = "jobs " + i;
        String newName = "done " + i;
        PersistentQueue<String> before = store.queue(name, String.class);
        Both<Boolean, PersistentQueue<String>> came =
            both(() -> isRenamed(store, name, newName), () -> store.queue(newName, String.class));
        if (came.one()) {
          assertThat(came.other()).isSameAs(before);
        }
        assertThat(store.queue(newName, String.class)).isSameAs(came.other());
      }
    }
  }

  /// Not if the new name was taken by then.
  private static boolean isRenamed(Holdfast store, String name, String newName) {
    try {
      store.rename(name, newName);
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining(newName);
      return false;
    }
  }

  @Test
  void deletedWhileItIsOpened() throws Exception {
    try (Holdfast store = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        String name = "jobs " + i;
        PersistentQueue<String> before = store.queue(name, String.class);
        Both<Boolean, PersistentQueue<String>> came =
            both(() -> store.delete(name), () -> store.queue(name, String.class));
        assertThat(came.one()).isTrue();
        if (came.other() != before) { // it was opened after the deletion
          assertThat(came.other().offer("x")).isTrue();
          assertThat(store.queue(name, String.class)).isSameAs(came.other());
        }
      }
    }
  }

  /// Who lists jobs and calls, as the metrics do, makes nothing of what is being deleted.
  @Test
  void deletedWhileItIsListed() throws Exception {
    try (Holdfast store = open()) {
      for (int i = 0; i < ROUNDS / 6; i++) {
        store.job("job", Long.class, 0L, (_, _) -> {});
        store.resumable("calls", Long.class, _ -> {});
        both(() -> store.delete("job"), store::jobs);
        both(() -> store.delete("calls"), store::unfinished);
        assertThat(store.delete("job")).as("it is deleted").isFalse();
        assertThat(store.delete("calls")).as("it is deleted").isFalse();
      }
    }
  }

  /// Waits until a thread is in a method, and waits there.
  private static void awaitWaiting(Thread thread, String method) {
    boolean waits = false;
    while (!waits) {
      Thread.onSpinWait();
      waits =
          thread.getState() != Thread.State.RUNNABLE
              && Arrays.stream(thread.getStackTrace())
                  .anyMatch(frame -> frame.getMethodName().equals(method));
    }
  }

  @Test
  void openedByAnActionWhileTheStoreIsClosed() throws Exception {
    Holdfast store = open();
    CompletableFuture<Thread> closing = new CompletableFuture<>();
    store.onDurable(
        () -> {
          awaitWaiting(closing.join(), "finishActions");
          store.queue("late", String.class).add("x");
        });
    Thread closer = Thread.ofPlatform().daemon().start(store::close);
    closing.complete(closer);
    assertThat(closer.join(Duration.ofSeconds(20))).as("it is closed").isTrue();
    try (Holdfast again = open()) {
      assertThat(again.queue("late", String.class)).containsExactly("x");
    }
  }

  @Test
  void closedByAnActionWhileTheStoreIsClosed() throws Exception {
    Holdfast store = open();
    CompletableFuture<Thread> closing = new CompletableFuture<>();
    store.onDurable(
        () -> {
          awaitWaiting(closing.join(), "finishActions");
          store.close();
        });
    Thread closer = Thread.ofPlatform().daemon().start(store::close);
    closing.complete(closer);
    assertThat(closer.join(Duration.ofSeconds(20))).as("it is closed").isTrue();
    open().close();
  }

  /// After eight runs in vain a transaction locks what it has come to before its body runs.
  @Test
  void openedByATransactionThatHasLockedWhatIsDeleted() throws Exception {
    Holdfast store = open();
    PersistentHashMap<String, Long> accounts = store.hashMap("accounts", String.class, Long.class);
    accounts.put("a", 0L);
    CompletableFuture<Thread> deletion = new CompletableFuture<>();
    int[] runs = new int[1];
    FutureTask<Void> transaction =
        new FutureTask<>(
            () -> {
              store.transaction(
                  () -> {
                    long a = accounts.get("a");
                    if (++runs[0] <= 8) {
                      CompletableFuture.runAsync(() -> accounts.put("a", a + 1)).join();
                    } else {
                      Thread deleter =
                          Thread.ofPlatform().daemon().start(() -> store.delete("accounts"));
                      deletion.complete(deleter);
                      awaitWaiting(deleter, "delete");
                    }
                    store.hashMap("seen", String.class, Long.class).put("a", a);
                  });
              return null;
            });
    Thread.ofPlatform().daemon().start(transaction);
    transaction.get(20, TimeUnit.SECONDS);
    assertThat(deletion.join().join(Duration.ofSeconds(20))).as("it is deleted").isTrue();
    assertThat(store.hashMap("seen", String.class, Long.class)).containsEntry("a", 8L);
    assertThat(store.hashMap("accounts", String.class, Long.class)).isEmpty();
    store.close();
  }

  /// The same for one that is not open yet: the run that has locked does not open it.
  @Test
  void firstOpenedByATransactionThatHasLockedWhatIsDeleted() throws Exception {
    Holdfast store = open();
    PersistentHashMap<String, Long> accounts = store.hashMap("accounts", String.class, Long.class);
    accounts.put("a", 0L);
    CompletableFuture<Thread> deletion = new CompletableFuture<>();
    int[] runs = new int[1];
    FutureTask<Void> transaction =
        new FutureTask<>(
            () -> {
              store.transaction(
                  () -> {
                    if (++runs[0] <= 8) {
                      long a = accounts.get("a");
                      CompletableFuture.runAsync(() -> accounts.put("a", a + 1)).join();
                      accounts.put("b", a);
                    } else {
                      if (runs[0] == 9) {
                        Thread deleter =
                            Thread.ofPlatform().daemon().start(() -> store.delete("accounts"));
                        deletion.complete(deleter);
                        awaitWaiting(deleter, "delete");
                      }
                      store.hashMap("seen", String.class, Long.class).put("a", 8L);
                    }
                  });
              return null;
            });
    Thread.ofPlatform().daemon().start(transaction);
    transaction.get(20, TimeUnit.SECONDS);
    assertThat(deletion.join().join(Duration.ofSeconds(20))).as("it is deleted").isTrue();
    assertThat(store.hashMap("seen", String.class, Long.class)).containsEntry("a", 8L);
    assertThat(runs[0]).isEqualTo(10);
    store.close();
  }
}
