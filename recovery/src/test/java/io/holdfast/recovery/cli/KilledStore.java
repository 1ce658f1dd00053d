package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import io.holdfast.Holdfast.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;

/// A store whose process was killed by the operating system at a known point: its main method is
/// that process.
///
/// When it is killed, one thread is in a section that has put two entries into the map `stock`, the
/// second one into a block of its own, and released an inner lock; a second one has ended a section
/// that took this lock and added to the queue `jobs`, and waits for the first.
public final class KilledStore {
  private static final String READY = "ready";

  /// Too long to lie in one block with the other entry, wherever the hash of the store puts both.
  private static final String LONG_KEY = "pears".repeat(20);

  private KilledStore() {}

  /// Runs the process, with a store that lies at a path, and kills it.
  static void at(Path file) throws IOException, InterruptedException {
    Process process = start(file);
    process.destroyForcibly().waitFor();
  }

  /// Runs the process up to the point where it is to be killed.
  public static Process start(Path file) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KilledStore.class.getName(), file.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader reader = process.inputReader();
    assertThat(reader.readLine()).isEqualTo(READY);
    return process;
  }

  /// The process.
  public static void main(String[] args) throws InterruptedException {
    Holdfast store = Holdfast.open(Path.of(args[0]), Options.defaults().recordStacks());
    var stock = store.hashMap("stock", String.class, Long.class);
    var jobs = store.queue("jobs", Long.class);
    stock.put("apples", 1L);
    jobs.add(1L);
    Lock outer = new DurableLock();
    Lock inner = new DurableLock();
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Thread.ofPlatform()
        .name("seller")
        .start(
            () -> {
              outer.lock();
              try {
                inner.lock();
                try {
                  stock.put("apples", 2L);
                  stock.put(LONG_KEY, 3L);
                } finally {
                  inner.unlock();
                }
                released.countDown();
                never.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                outer.unlock();
              }
            });
    released.await();
    inner.lock();
    try {
      jobs.add(2L);
    } finally {
      inner.unlock();
    }
    System.out.println(READY);
    never.await();
  }
}
