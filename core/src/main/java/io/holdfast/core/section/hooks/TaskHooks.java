package io.holdfast.core.section.hooks;

import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.UncommittedReleases;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Supplier;
import java.util.stream.BaseStream;

/// What the agent weaves where a task is handed to an executor, a pool or a publisher, and around
/// what those may run. A task depends on what its submitter had open, and who gets its result
/// ({@link EdgeHooks#FUTURES}) on what the task has left open.
///
/// No object is wrapped: an executor gives back what it got (`remove`, `getQueue`, `shutdownNow`).
/// Since the body of a lambda does not know the lambda, the channel is the task's class, and for
/// lambdas the outermost class of their code. Two tasks of a class share it; a dependency too many
/// only delays durability.
///
/// What is handed over may be no task of woven code, but call one: a wrapper of a library's. As
/// long as no code of its class has told that it is run, what is handed over is also published to
/// all tasks.
///
/// A task's body costs one read as long as no thread has anything open, and one more at its end as
/// long as no store is open.
///
/// Thread-safe; each call concerns the calling thread.
public final class TaskHooks {
  /// Stands for tasks of classes that are not known.
  private static final Object ANY = new Object();

  private static final ClassValue<Channel> CHANNELS =
      new ClassValue<>() {
        @Override
        protected Channel computeValue(Class<?> type) {
          return new Channel();
        }
      };

  /// What tasks of a class are known by.
  private static final class Channel {
    /// Whether they tell that they are run.
    private volatile boolean isWoven;
  }

  private static Channel channelOf(Class<?> task) {
    return CHANNELS.get(task.isHidden() ? task.getNestHost() : task);
  }

  /// Before a task is handed over.
  ///
  /// @param task or a stream, whose lambdas are tasks if it is parallel; `null` does nothing: the
  ///   call that follows throws
  public static void handing(Object task) {
    if (!ThreadSections.isAnyStoreOpen() || task == null) {
      return;
    }
    ThreadSections thread = ThreadSections.current();
    if (thread.mayPublish() && !(task instanceof BaseStream<?, ?> stream && !stream.isParallel())) {
      Channel channel = channelOf(task.getClass());
      thread.publish(channel);
      if (!channel.isWoven) {
        thread.publish(ANY);
      }
    }
  }

  /// Before something is handed over of which it is not known what runs with it.
  public static void handing() {
    publish(ANY);
  }

  /// At the start of a method of a task's.
  ///
  /// @param task its object
  public static void begins(Object task) {
    if (!UncommittedReleases.isEmpty()) {
      begun(channelOf(task.getClass()));
    }
  }

  /// At the start of a lambda that may be a task.
  ///
  /// @param owner the class that has its code
  public static void begins(Class<?> owner) {
    if (!UncommittedReleases.isEmpty()) {
      begun(channelOf(owner.getNestHost()));
    }
  }

  /// The same where it may also be run because a {@link CompletableFuture} is complete.
  ///
  /// @param owner the class that has its code
  public static void stageBegins(Class<?> owner) {
    if (!UncommittedReleases.isEmpty()) {
      begun(channelOf(owner.getNestHost()));
      gotResult();
    }
  }

  private static void begun(Channel channel) {
    ThreadSections thread = ThreadSections.current();
    thread.observe(channel);
    thread.observe(ANY);
    if (!channel.isWoven) {
      channel.isWoven = true;
    }
  }

  /// At the end of a task, after which its result is to be had. What is run inside of a section
  /// ends nothing: lambdas that are no tasks are.
  public static void ends() {
    if (ThreadSections.isAnyStoreOpen() && !ThreadSections.current().inSection()) {
      publish(EdgeHooks.FUTURES);
    }
  }

  /// The same of a method that is in a section of its own as a whole.
  public static void endsOpenly() {
    publish(EdgeHooks.FUTURES);
  }

  private static void publish(Object through) {
    if (ThreadSections.isAnyStoreOpen()) {
      ThreadSections thread = ThreadSections.current();
      if (thread.mayPublish()) {
        thread.publish(through);
      }
    }
  }

  /// After a task's result was got, or that it has failed.
  public static void gotResult() {
    if (!UncommittedReleases.isEmpty()) {
      ThreadSections.current().observe(EdgeHooks.FUTURES);
    }
  }

  /// As {@link CompletableFuture#runAsync(Runnable)}.
  public static CompletableFuture<Void> runAsync(Runnable task) {
    handing(task);
    return CompletableFuture.runAsync(task);
  }

  /// As {@link CompletableFuture#runAsync(Runnable, Executor)}.
  public static CompletableFuture<Void> runAsync(Runnable task, Executor executor) {
    handing(task);
    return CompletableFuture.runAsync(task, executor);
  }

  /// As {@link CompletableFuture#supplyAsync(Supplier)}.
  public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task) {
    handing(task);
    return CompletableFuture.supplyAsync(task);
  }

  /// As {@link CompletableFuture#supplyAsync(Supplier, Executor)}.
  public static <U> CompletableFuture<U> supplyAsync(Supplier<U> task, Executor executor) {
    handing(task);
    return CompletableFuture.supplyAsync(task, executor);
  }

  /// As {@link ForkJoinTask#invokeAll(ForkJoinTask, ForkJoinTask)}.
  public static void invokeAll(ForkJoinTask<?> first, ForkJoinTask<?> second) {
    handing();
    try {
      ForkJoinTask.invokeAll(first, second);
    } finally {
      gotResult();
    }
  }

  /// As {@link ForkJoinTask#invokeAll(ForkJoinTask...)}.
  public static void invokeAll(ForkJoinTask<?>[] tasks) {
    handing();
    try {
      ForkJoinTask.invokeAll(tasks);
    } finally {
      gotResult();
    }
  }

  /// As {@link ForkJoinTask#invokeAll(Collection)}.
  public static <T extends ForkJoinTask<?>> Collection<T> invokeAll(Collection<T> tasks) {
    handing();
    try {
      return ForkJoinTask.invokeAll(tasks);
    } finally {
      gotResult();
    }
  }

  private TaskHooks() {}
}
