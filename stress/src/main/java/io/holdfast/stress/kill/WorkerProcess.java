package io.holdfast.stress.kill;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// A worker JVM as its parent sees it: listens to it, kills it, and makes sure that it was the kill
/// that ended it.
public final class WorkerProcess implements AutoCloseable {
  /// What waits for an acknowledgement.
  @FunctionalInterface
  public interface Listener {
    /// Called by one thread; what it did is seen by whoever saw the worker's end.
    void acknowledged(int channel, long number);
  }

  /// Beyond any start on a loaded machine: what takes longer hangs. Counted in turns of waiting,
  /// and not by the clock: all processes of a machine may be stopped for a while.
  private static final int TURNS_MAX = 60;

  private static final int TURN_MILLIS = 1_000;
  private static final int REPORT_LINES = 60;

  private final Process process;
  private final Path errors;
  private final Listener listener;
  private final Thread reader;
  private final Thread killAtExit;
  private Stage stage = Stage.STARTING;
  private int openings;
  private long acknowledgements;
  private boolean silent;
  private boolean failure;

  private WorkerProcess(Process process, Path errors, Listener listener) {
    this.process = process;
    this.errors = errors;
    this.listener = listener;
    this.reader = Thread.ofPlatform().daemon().name("messages of the worker").unstarted(this::read);
    this.killAtExit = new Thread(process.toHandle()::destroyForcibly);
  }

  static WorkerProcess start(List<String> command, Path errors, Listener listener) {
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      WorkerProcess worker = new WorkerProcess(process, errors, listener);
      Runtime.getRuntime().addShutdownHook(worker.killAtExit);
      worker.reader.start();
      return worker;
    } catch (IOException e) {
      throw new UncheckedIOException("the worker JVM can't be started: command=" + command, e);
    }
  }

  private void read() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16))) {
      Message message = Message.readFrom(in);
      while (message != null) {
        accept(message);
        message = Message.readFrom(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("reading from the worker failed", e);
    } finally {
      synchronized (this) {
        silent = true;
        notifyAll();
      }
    }
  }

  private void accept(Message message) {
    if (message.channel() == Message.STAGE) {
      synchronized (this) {
        stage = Stage.values()[(int) message.number()];
        openings += stage == Stage.OPENING ? 1 : 0;
        notifyAll();
      }
    } else if (message.channel() == Message.FAILURE) {
      synchronized (this) {
        failure = true;
      }
    } else {
      listener.acknowledged(message.channel(), message.number());
      synchronized (this) {
        acknowledgements++;
        notifyAll();
      }
    }
  }

  /// What the worker is at, or was when it ended.
  public synchronized Stage stage() {
    return stage;
  }

  /// How often the worker has begun to open the store.
  synchronized int openings() {
    return openings;
  }

  /// Waits until a stage was entered.
  ///
  /// @throws WorkerFailedException if the worker ended by itself before, or hangs
  public void await(Stage awaited) throws InterruptedException {
    if (!await(() -> stage.compareTo(awaited) >= 0)) {
      throw failed("did not come to stage '" + awaited + "'");
    }
  }

  /// @return whether it has come true; if not, the worker has ended by itself, or hangs
  private synchronized boolean await(BooleanSupplier condition) throws InterruptedException {
    long from = System.nanoTime();
    for (int turns = 0; !condition.getAsBoolean() && !silent && turns < TURNS_MAX; ) {
      wait(TURN_MILLIS);
      if (System.nanoTime() - from >= TURN_MILLIS * 1_000_000L) { // not woken by a message
        turns++;
        from = System.nanoTime();
      }
    }
    return condition.getAsBoolean();
  }

  /// How often the worker has acknowledged something.
  synchronized long acknowledgements() {
    return acknowledgements;
  }

  /// Ends the worker at a moment, and waits until it is gone and all its messages are read.
  ///
  /// @throws WorkerFailedException if something else ended it
  public void endAt(KillTiming.Moment moment, Ending ending) throws InterruptedException {
    await(moment.after());
    if (moment.acknowledged() && !await(() -> acknowledgements > 0)) {
      throw failed("acknowledged nothing");
    }
    LockSupport.parkNanos(moment.delay().toNanos());
    end(ending);
  }

  /// Kills the worker now, and waits until it is gone and all its messages are read.
  ///
  /// @throws WorkerFailedException if something else ended it
  public void kill() throws InterruptedException {
    end(Ending.KILL);
  }

  private void end(Ending ending) throws InterruptedException {
    ending.strike(process);
    int exitCode = process.waitFor();
    reader.join();
    forget();
    if (!ending.explains(exitCode, stage())) {
      throw failed("ended by itself, not by " + ending);
    }
    if (hasFailed() && !ending.isReported()) { // or what the JVM says is taken for a failure
      throw failed("failed, and was killed when it was about to end");
    }
  }

  /// Whether the worker has said that it failed, or its JVM has.
  synchronized boolean hasFailed() {
    return failure;
  }

  private WorkerFailedException failed(String what) throws InterruptedException {
    boolean alive = !process.waitFor(2, TimeUnit.SECONDS); // it may be about to end
    if (alive) {
      ThreadDump.request(process);
    }
    process.toHandle().destroyForcibly();
    String exit = alive ? "none: it hung" : "" + process.exitValue();
    return new WorkerFailedException(
        "the worker %s: stage=%s, exit code=%s, its standard error:%n%s"
            .formatted(what, stage(), exit, read(errors) + fatalError()));
  }

  /// The beginning of the JVM's report of one, with the frames, if it made one.
  private String fatalError() {
    Path report = WorkerJvm.errorFile(errors.resolveSibling(""), "" + process.pid());
    return Files.exists(report)
        ? read(report).lines().limit(REPORT_LINES).collect(Collectors.joining("\n"))
        : "";
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "(" + e + ")";
    }
  }

  private void forget() {
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException _) {
      // this JVM is about to end, and the hook runs or has run
    }
  }

  /// Ends the worker if it is still there.
  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    forget();
  }
}
