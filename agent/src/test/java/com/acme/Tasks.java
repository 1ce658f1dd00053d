package com.acme;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Ways to hand over a task, and to get its result. Woven by the tests.
public class Tasks {
  public void execute(Executor executor, Runnable act) {
    executor.execute(() -> act.run());
  }

  public Future<?> submit(ExecutorService executor, Runnable act) {
    return executor.submit(calling(act));
  }

  public Future<?> schedule(ScheduledExecutorService executor, Runnable act) {
    return executor.schedule(() -> act.run(), 0, TimeUnit.MILLISECONDS);
  }

  public CompletableFuture<Void> runAsync(Executor executor, Runnable act) {
    return CompletableFuture.runAsync(() -> act.run(), executor);
  }

  public CompletableFuture<String> supplyAsync(Executor executor, Runnable act) {
    return CompletableFuture.supplyAsync(
        () -> {
          act.run();
          return "result";
        },
        executor);
  }

  public ForkJoinTask<?> fork(Runnable act) {
    return new Acting(act).fork();
  }

  public boolean publish(SubmissionPublisher<String> publisher) {
    return publisher.submit("item") >= 0;
  }

  public void subscribe(SubmissionPublisher<String> publisher, Runnable act) {
    publisher.subscribe(new Listening(act));
  }

  public Object submitAndGet(ExecutorService executor, Runnable act) throws Exception {
    return executor.submit(calling(act)).get();
  }

  public Object invokeAll(ExecutorService executor, Runnable act) throws Exception {
    return executor.invokeAll(List.of(calling(act))).getFirst().get();
  }

  public Object supplyAndJoin(Executor executor, Runnable act) {
    return supplyAsync(executor, act).join();
  }

  public Object forkAndJoin(Runnable act) {
    return new Acting(act).fork().join();
  }

  public Object invoke(ForkJoinPool pool, Runnable act) {
    return pool.invoke(new Acting(act));
  }

  public void wrapped(Executor executor, Runnable act) {
    executor.execute(new FutureTask<>(() -> act.run(), null));
  }

  public void executeReference(Executor executor, Runnable act) {
    new Named(act).executeReference(executor);
  }

  public Object submitSynchronizedAndGet(ExecutorService executor, Runnable act) throws Exception {
    return executor.submit(new Named(act)).get();
  }

  public void complete(ExecutorService executor, Runnable act) {
    new ExecutorCompletionService<String>(executor).submit(calling(act));
  }

  /// The result itself is not asked for.
  public void completeAndTake(ExecutorService executor, Runnable act) throws InterruptedException {
    ExecutorCompletionService<String> service = new ExecutorCompletionService<>(executor);
    service.submit(calling(act));
    service.take();
  }

  public void executeAndClose(Runnable act) {
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      executor.execute(() -> act.run());
    }
  }

  public boolean executeAndAwaitTheEnd(Runnable act) throws InterruptedException {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.execute(() -> act.run());
    executor.shutdown();
    return executor.awaitTermination(1, TimeUnit.MINUTES);
  }

  public boolean executeAndAwaitQuiescence(Runnable act) {
    try (ForkJoinPool pool = new ForkJoinPool(1)) {
      pool.execute(() -> act.run());
      return pool.awaitQuiescence(1, TimeUnit.MINUTES);
    }
  }

  public CompletableFuture<?> thenApplyAsync(
      CompletableFuture<?> future, Executor executor, Runnable act) {
    return future.thenApplyAsync(
        result -> {
          act.run();
          return result;
        },
        executor);
  }

  public CompletableFuture<?> thenCombineAsync(
      CompletableFuture<?> future, Executor executor, Runnable act) {
    return future.thenCombineAsync(
        future,
        (result, _) -> {
          act.run();
          return result;
        },
        executor);
  }

  public void completeAsync(Executor executor, Runnable act) {
    new CompletableFuture<String>()
        .completeAsync(
            () -> {
              act.run();
              return "result";
            },
            executor);
  }

  public void parallel(Runnable leaf) {
    IntStream.range(0, 2).parallel().forEach(_ -> leaf.run());
  }

  public void invokeAllForked(Runnable leaf) {
    ForkJoinTask.invokeAll(new Acting(leaf), new Acting(leaf));
  }

  private static Callable<String> calling(Runnable act) {
    return () -> {
      act.run();
      return "result";
    };
  }

  private static final class Acting extends RecursiveAction {
    private static final long serialVersionUID = 1;
    private final transient Runnable act;

    Acting(Runnable act) {
      this.act = act;
    }

    @Override
    protected void compute() {
      act.run();
    }
  }

  private static final class Named implements Callable<String> {
    private final Runnable act;

    Named(Runnable act) {
      this.act = act;
    }

    @Override
    public synchronized String call() {
      act.run();
      return "result";
    }

    void executeReference(Executor executor) {
      executor.execute(this::work);
    }

    private void work() {
      act.run();
    }
  }

  private record Listening(Runnable act) implements Subscriber<String> {
    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String item) {
      act.run();
    }

    @Override
    public void onError(Throwable thrown) {}

    @Override
    public void onComplete() {}
  }
}
