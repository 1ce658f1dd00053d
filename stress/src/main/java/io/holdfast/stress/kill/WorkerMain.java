package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The main class of a worker JVM; {@link WorkerProcess} starts it. It has no command line to parse
/// and little to load, since hundreds of them are started.
///
/// Every third life works with virtual threads: they use the logs in another way than platform
/// threads, which keep theirs.
public final class WorkerMain {
  private static final int FAILED = 70;

  /// What the parent writes to have the worker run out of memory.
  static final int USE_UP_HEAP = 1;

  /// What it writes to have the worker ask for memory that it has not had.
  static final int USE_UP_MEMORY = 2;

  private static final int FIXED_ARGUMENTS = 6;

  private final Workload workload;
  private final Path path;
  private final Survived survives;
  private final Worker worker;

  private WorkerMain(Workload workload, Path path, Survived survives, Worker worker) {
    this.workload = workload;
    this.path = path;
    this.survives = survives;
    this.worker = worker;
  }

  /// @param arguments the class of the workload, the region's path, the number of threads, the
  ///   life, the seed, what the store is to survive, then parameters as `name=value`
  public static void main(String[] arguments) {
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> fail(failure));
    System.setOut(System.err); // standard output belongs to the messages
    Thread.ofPlatform().daemon().start(WorkerMain::endWithTheParent);
    Map<String, String> parameters = new HashMap<>();
    for (int i = FIXED_ARGUMENTS; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      parameters.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    Path path = Path.of(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    Worker worker =
        new Worker(
            threads,
            Integer.parseInt(arguments[3]),
            Long.parseLong(arguments[4]),
            parameters,
            Board.make(path, threads));
    Survived survives = Survived.valueOf(arguments[5]);
    try {
      Workload workload =
          (Workload) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
      new WorkerMain(workload, path, survives, worker).run();
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /// A parent that died, by Ctrl-C as a rule, leaves no worker behind.
  private static void endWithTheParent() {
    try {
      int read = System.in.read();
      while (read >= 0) {
        if (read == USE_UP_HEAP) {
          useUpHeap();
        } else if (read == USE_UP_MEMORY) {
          useUpMemory();
        }
        read = System.in.read();
      }
    } catch (IOException e) {
      fail(e);
    }
    Runtime.getRuntime().halt(FAILED);
  }

  /// Until the JVM exits.
  private static void useUpHeap() {
    List<byte[]> all = new ArrayList<>();
    while (true) {
      all.add(new byte[1 << 20]);
    }
  }

  /// Not of the heap: the JVM may have had all of that. Until the kernel ends the JVM.
  private static void useUpMemory() {
    while (true) {
      Arena.global().allocate(1 << 20).fill((byte) 1);
    }
  }

  private static void fail(Throwable failure) {
    failure.printStackTrace();
    try {
      // The end itself takes a while, and a kill that strikes meanwhile would hide the failure.
      new Message(Message.FAILURE, 0).writeTo(new FileOutputStream(FileDescriptor.out));
    } catch (IOException e) {
      e.printStackTrace(); // the parent is gone
    }
    Runtime.getRuntime().halt(FAILED);
  }

  private void run() {
    do {
      worker.enter(Stage.OPENING);
      try (Holdfast store = Holdfast.open(path, workload.options(survives.options()))) {
        worker.enter(Stage.SETTING_UP);
        worker.opened(store);
        workload.setUp(worker);
        survives.checkQuiet(store);
        worker.enter(Stage.WORKING);
        work();
        worker.enter(Stage.CLOSING);
      }
    } while (workload.reopens());
  }

  private void work() {
    Thread.Builder builder = worker.life() % 3 == 2 ? Thread.ofVirtual() : Thread.ofPlatform();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < worker.threads(); i++) {
      int thread = i;
      threads.add(builder.name("worker-" + i).start(() -> work(thread)));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      fail(e);
    }
  }

  private void work(int thread) {
    try {
      workload.work(worker, thread);
    } catch (Exception | Error e) {
      fail(e);
    }
  }
}
