package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The front door: opening, names, sections, closing, and what is said when something is refused.
@Timeout(60)
class HoldfastTest {
  private static final int HALTED = 42;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  @Test
  void exampleOfTheReadMe() {
    try (Holdfast store = Holdfast.open(file)) {
      BlockingQueue<String> orders = store.queue("orders", String.class);
      BlockingQueue<String> bills = store.queue("bills", String.class);
      orders.add("7 apples");
      store.atomically(() -> bills.add("bill for " + orders.remove()));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("orders", String.class)).isEmpty();
      assertThat(store.queue("bills", String.class)).containsExactly("bill for 7 apples");
    }
  }

  @Test
  void recoverySaysCreatedThenClean() {
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CREATED);
      assertThat(store.recovery()).hasToString("created");
      store.queue("q", Integer.class).add(1);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.recovery()).hasToString("opened clean");
    }
  }

  /// Moves an element in a section that ends, and another in one that does not.
  static final class HaltsInASection {
    public static void main(String[] args) {
      Holdfast store = Holdfast.open(Path.of(args[0]));
      PersistentQueue<String> from = store.queue("from", String.class);
      PersistentQueue<String> to = store.queue("to", String.class);
      store.atomically(() -> to.add(from.remove()));
      store.atomically(
          () -> {
            to.add(from.remove());
            to.add("never");
            HappensBefore.releasing(to); // it stores what it holds back
            Runtime.getRuntime().halt(HALTED);
          });
    }
  }

  @Test
  void p1RecoveryOfAProcessThatHaltedInASection() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("from", String.class).add("a");
      store.queue("from", String.class).add("b");
      store.queue("from", String.class).add("c");
    }
    try (ChildJvm child = ChildJvm.start(HaltsInASection.class, file.toString())) {
      assertThat(child.awaitEnd()).isEqualTo(HALTED);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
      assertThat(store.recovery().entriesUndone()).isPositive();
      assertThat(store.queue("from", String.class)).containsExactly("b", "c");
      assertThat(store.queue("to", String.class)).containsExactly("a");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("from", String.class)).containsExactly("b", "c");
    }
  }

  @Test
  void sameNameIsTheSameQueue() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThat(store.queue("q", String.class)).isSameAs(queue);
      assertThat(store.queue("q", Codec.of(String.class))).isSameAs(queue);
      assertThat(store.queue("Q", String.class)).isNotSameAs(queue);
      PersistentQueue<String> bounded = store.queue("bounded", String.class, 5);
      assertThat(store.queue("bounded", String.class, 5)).isSameAs(bounded);
    }
  }

  @Test
  void anotherCodecIsRefusedWithBothNamed() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("q", String.class).add("a");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("q", Integer.class))
          .withMessage(
              file
                  + ": the queue \"q\" cannot be opened with these types: values have another form:"
                  + " stored=String, asked=Integer. Open it as what it is, or use another name");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("q", Long.class))
          .withMessage(
              file
                  + ": the queue \"q\" cannot be opened with these types: values have another form:"
                  + " stored=String, asked=Long. Open it as what it is, or use another name");
      assertThat(store.queue("q", String.class)).containsExactly("a");
    }
  }

  @Test
  void anotherKindIsRefusedWithBothNamed() {
    RegionFile opened = RegionFile.open(file);
    Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES);
    Root root =
        region.roots().create("m", "hashMap", "String to Long", () -> region.heap().allocate(64));
    assertThat(root.kind()).isEqualTo("hashMap");
    region.close();
    opened.close();
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("m", String.class))
          .withMessage(
              file
                  + ": \"m\" is a hashMap of String to Long, and was asked for as a queue of"
                  + " String. Open it as what it is, or use another name");
    }
  }

  @Test
  void anotherCapacityIsRefused() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("q", String.class, 5);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("q", String.class, 6))
          .withMessage(file + ": queue q is open with another capacity: found=5, asked=6");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("q", String.class))
          .withMessage(file + ": queue q is open with another capacity: found=5, asked=2147483647");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("new", String.class, 0))
          .withMessage(file + ": queue new: capacity=0, allowed=at least 1");
    }
  }

  @Test
  void nullsAreRefused() {
    try (Holdfast store = Holdfast.open(file)) {
      assertThatNullPointerException().isThrownBy(() -> store.queue(null, String.class));
      assertThatNullPointerException().isThrownBy(() -> store.queue("q", (Codec<String>) null));
      assertThatNullPointerException().isThrownBy(() -> store.atomically((Runnable) null));
      store.queue("q", String.class).add("the failed section left nothing behind");
      store.sync();
    }
    assertThatNullPointerException().isThrownBy(() -> Holdfast.open(null));
  }

  @Test
  void secondOpenerIsToldThatItIsOpenHere() {
    try (Holdfast store = Holdfast.open(file)) {
      assertThatExceptionOfType(RegionLockedException.class)
          .isThrownBy(() -> Holdfast.open(file))
          .withMessage(
              "%s: the region is already open in this process: pid=%d. Use the store that is open,"
                  + " or close it first",
              file.toAbsolutePath(), ProcessHandle.current().pid());
      store.queue("q", String.class).add("a");
    }
  }

  @Test
  void whatWasWrittenStaysWhenASectionThrows() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        queue.add("a");
                        throw new IllegalStateException("thrown inside");
                      }))
          .withMessage("thrown inside");
      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(
              () ->
                  store.<Object>atomically(
                      () -> {
                        queue.add("b");
                        throw new StackOverflowError();
                      }));
      store.sync();
      assertThat(queue).containsExactly("a", "b");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("q", String.class)).containsExactly("a", "b");
    }
  }

  @Test
  void sectionsNest() throws Exception {
    Path copy = directory.resolve("copy.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      String result =
          store.atomically(
              () -> {
                queue.add("outer");
                int inner =
                    store.atomically(
                        () -> {
                          queue.add("inner");
                          return 7;
                        });
                HappensBefore.releasing(queue); // it stores what it holds back
                copyTo(copy);
                return "result " + inner;
              });
      assertThat(result).isEqualTo("result 7");
      assertThat(queue).containsExactly("outer", "inner");
    }
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
      assertThat(store.queue("q", String.class)).isEmpty();
    }
  }

  private void copyTo(Path copy) {
    try {
      Files.write(copy, Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A root that a crash takes back is there again when it is asked for again.
  @Test
  void root1QueueMadeInASectionThatIsCutOff() {
    Path copy = directory.resolve("copy.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.atomically(
          () -> {
            store.queue("q", String.class).add("a");
            copyTo(copy);
          });
      assertThat(store.queue("q", String.class)).containsExactly("a");
    }
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.queue("q", Integer.class)).isEmpty();
      store.queue("q", Integer.class).add(1);
    }
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.queue("q", Integer.class)).containsExactly(1);
    }
  }

  @Test
  void syncInsideOfASectionIsRefused() {
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> store.atomically(store::sync))
          .withMessage(
              file.toAbsolutePath()
                  + ": sync inside of a section, which is durable only when it has ended. Call it"
                  + " after the last lock is released");
      store.sync();
    }
  }

  @Test
  void p6SyncWaitsForTheSectionThatIsDependedOn() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      CountDownLatch offered = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      CompletableFuture<Void> open =
          inAThread(
              () ->
                  store.atomically(
                      () -> {
                        queue.add("a");
                        HappensBefore.releasing(queue); // it stores what it holds back
                        offered.countDown();
                        await(mayEnd);
                      }));
      await(offered);
      assertThat(queue.poll()).isEqualTo("a");
      CompletableFuture<Void> unrelated = inAThread(store::sync);
      unrelated.get(30, TimeUnit.SECONDS);
      Thread.ofVirtual()
          .start(
              () -> {
                sleep(100);
                mayEnd.countDown();
              });
      store.sync();
      assertThat(mayEnd.getCount()).isZero();
      open.get(30, TimeUnit.SECONDS);
    }
  }

  private static CompletableFuture<Void> inAThread(Runnable action) {
    return CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void closeIsIdempotentAndEndsAllUse() {
    Holdfast store = Holdfast.open(file);
    PersistentQueue<String> queue = store.queue("q", String.class);
    queue.add("a");
    store.close();
    store.close();
    String message = file.toAbsolutePath() + ": the store is closed. Open it again";
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> store.queue("q", String.class))
        .withMessage(message);
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> store.atomically(() -> {}))
        .withMessage(message);
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> store.atomically(() -> "x"))
        .withMessage(message);
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(store::sync)
        .withMessage(message);
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(store::unfinished)
        .withMessage(message);
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(store::jobs)
        .withMessage(message);
    assertThat(store.path()).isEqualTo(file);
    assertThat(store).hasToString("Holdfast[" + file + "]");
    assertThat(store.recovery().outcome()).isEqualTo(Outcome.CREATED);
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.queue("q", String.class)).containsExactly("a");
      store.close(); // and does not let go of what is another store's by now
      assertThatExceptionOfType(RegionLockedException.class)
          .isThrownBy(() -> Holdfast.open(file))
          .withMessageContaining("already open in this process");
    }
  }

  /// P7: as where the memory had ended at the first use of a class of logging's.
  @Test
  void p7RecoveryThatCannotBeLogged() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("from", String.class).add("a");
      store.queue("from", String.class).add("b");
    }
    try (ChildJvm child = ChildJvm.start(HaltsInASection.class, file.toString())) {
      assertThat(child.awaitEnd()).isEqualTo(HALTED);
    }
    Logger logger = Logger.getLogger("io.holdfast");
    logger.setFilter(
        _ -> {
          throw new NoClassDefFoundError("Could not initialize class java.util.logging.LogRecord");
        });
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
    } finally {
      logger.setFilter(null);
    }
  }

  /// The section that is cut off by the closing of its store is undone by the next opening.
  @Test
  void p1SectionOfAnotherThreadIsCutOffByClose() throws Exception {
    CountDownLatch offered = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Holdfast store = Holdfast.open(file);
    PersistentQueue<String> queue = store.queue("q", String.class);
    queue.add("a");
    CompletableFuture<Void> open =
        inAThread(
            () ->
                store.atomically(
                    () -> {
                      queue.add("b");
                      offered.countDown();
                      await(closed);
                    }));
    await(offered);
    store.close();
    closed.countDown();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> open.get(30, TimeUnit.SECONDS))
        .withCauseInstanceOf(StoreClosedException.class)
        .withMessageContaining(file.toAbsolutePath() + ": the store is closed. Open it again");
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(again.queue("q", String.class)).containsExactly("a");
    }
  }

  @Test
  void manyRoots() {
    try (Holdfast store = Holdfast.open(file)) {
      for (int i = 0; i < 500; i++) {
        store.queue("queue " + i, Integer.class).add(i);
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      for (int i = 0; i < 500; i++) {
        assertThat(store.queue("queue " + i, Integer.class)).containsExactly(i);
      }
    }
  }

  @Test
  void namesAndFingerprintsAreAnyText() {
    String name = "Größe \uD83D\uDE80 / \" \n" + "x".repeat(3_000);
    Codec<Integer> odd =
        new Codec<>() {
          @Override
          public String fingerprint() {
            return "";
          }

          @Override
          public void encode(Integer value, EncodedOutput out) {
            out.writeInt(value);
          }

          @Override
          public Integer decode(EncodedInput in) {
            return in.readInt();
          }
        };
    try (Holdfast store = Holdfast.open(file)) {
      store.queue(name, odd).add(1);
      store.queue("", odd).add(2);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue(name, odd)).containsExactly(1);
      assertThat(store.queue("", odd)).containsExactly(2);
    }
  }
}
