package com.example.jobs;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/// `java … com.example.jobs.Main FILE JOBS`: submits jobs, lets four workers do them, and prints a
/// line for each that is done. Kill it and run it again: it goes on where it was.
public final class Main {
  private static final int WORKERS = 4;

  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 2) {
      System.err.println("usage: com.example.jobs.Main FILE JOBS");
      System.exit(2);
    }
    int jobs = Integer.parseInt(arguments[1]);
    try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
      JobQueue queue = new JobQueue(store);
      for (int i = 0; i < jobs; i++) {
        queue.submit("job " + i, "line " + i);
      }
      Thread[] workers = new Thread[WORKERS];
      for (int i = 0; i < WORKERS; i++) {
        workers[i] = Thread.ofPlatform().start(() -> work(queue));
      }
      for (int i = 0; i < jobs; i++) {
        System.out.println("job " + i + " " + queue.await("job " + i));
      }
      for (Thread worker : workers) {
        worker.join();
      }
      System.out.println(queue.counts());
    }
  }

  private static void work(JobQueue queue) {
    boolean isBusy = true;
    while (isBusy) {
      isBusy = queue.workOne(Main::shout);
    }
  }

  private static String shout(String text) {
    LockSupport.parkNanos(2_000_000);
    if (text.endsWith("7")) {
      throw new IllegalArgumentException("sevens bring no luck");
    }
    return text.toUpperCase(Locale.ROOT);
  }

  private Main() {}
}
