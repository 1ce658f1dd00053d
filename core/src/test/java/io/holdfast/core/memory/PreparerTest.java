package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PreparerTest {
  /// What a piece comes to, one for each.
  private interface Outcome {
    boolean get();
  }

  private final BlockingQueue<Thread> beginnings = new LinkedBlockingQueue<>();
  private final SynchronousQueue<Outcome> outcomes = new SynchronousQueue<>();
  private final Preparer preparer = new Preparer("test", this::doPiece);

  private boolean doPiece(long length) {
    beginnings.add(Thread.currentThread());
    try {
      return outcomes.take().get();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() {
    preparer.stop();
    outcomes.poll();
  }

  private Thread begun() throws InterruptedException {
    Thread thread = beginnings.poll(1, TimeUnit.MINUTES);
    assertThat(thread).isNotNull();
    return thread;
  }

  private static FutureTask<Boolean> waitFor(Preparer preparer, long length) {
    FutureTask<Boolean> wait = new FutureTask<>(() -> preparer.awaitPieceTo(length));
    Thread thread = Thread.ofPlatform().daemon().start(wait);
    while (thread.getState() != Thread.State.WAITING && !wait.isDone()) {
      Thread.onSpinWait();
    }
    return wait;
  }

  /// And not for what a piece comes to, with the thread that hands it over gone on already.
  private static boolean waitsForWork(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("awaitWork"));
  }

  @Test
  void oneThreadDoesWhatIsWantedLater() throws Exception {
    preparer.prepare(2);
    Thread first = begun();
    outcomes.put(() -> true);
    assertThat(begun()).isEqualTo(first);
    outcomes.put(() -> false);
    preparer.prepare(3);
    assertThat(begun()).isEqualTo(first);
    outcomes.put(() -> false);
    while (!waitsForWork(first)) {
      assertThat(first.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    preparer.prepare(4);
    assertThat(begun()).isEqualTo(first);
    outcomes.put(() -> false);
  }

  @Test
  void aThreadWaitsForAPieceThatIsUnderWay() throws Exception {
    assertThat(preparer.awaitPieceTo(1)).isFalse();
    preparer.prepare(2);
    begun();
    assertThat(preparer.awaitPieceTo(3)).isFalse();
    FutureTask<Boolean> wait = waitFor(preparer, 2);
    assertThat(wait.isDone()).isFalse();
    outcomes.put(() -> false);
    assertThat(wait.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void nobodyWaitsForAPieceThatIsDone() throws Exception {
    preparer.prepare(2);
    begun();
    outcomes.put(() -> false);
    waitFor(preparer, 2).get(1, TimeUnit.MINUTES); // perhaps for its end
    assertThat(waitFor(preparer, 2).get(1, TimeUnit.MINUTES)).isFalse();
  }

  @Test
  void nobodyWaitsForWhatIsForgotten() throws Exception {
    preparer.prepare(2);
    begun();
    FutureTask<Boolean> wait = waitFor(preparer, 2);
    preparer.forget();
    assertThat(wait.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(preparer.awaitPieceTo(2)).isFalse();
    outcomes.put(() -> false);
  }

  @Test
  void anErrorEndsTheThreadAndNobodyWaitsForIt() throws Exception {
    preparer.prepare(2);
    Thread first = begun();
    first.setUncaughtExceptionHandler((_, _) -> {}); // it is ours
    FutureTask<Boolean> wait = waitFor(preparer, 2);
    outcomes.put(
        () -> {
          throw new OutOfMemoryError("of this test");
        });
    assertThat(wait.get(1, TimeUnit.MINUTES)).isTrue();
    first.join();
    assertThat(preparer.awaitPieceTo(2)).isFalse();
    preparer.prepare(2);
    assertThat(begun()).isNotEqualTo(first);
    outcomes.put(() -> false);
  }
}
