package io.holdfast.stress.example;

import com.example.bank.Account;
import com.example.bank.Bank;
import com.example.buffer.BoundedBuffer;
import com.example.buffer.Consumer;
import com.example.buffer.Item;
import com.example.buffer.Producer;
import com.example.inventory.Inventory;
import com.example.scheduler.JobScheduler;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.Holdfast;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs each example for some rounds, by several threads, and then waits for the end of its input:
/// a process that can be asked what the agent did in it.
public final class ExampleRounds {
  static final String DONE = "the examples are done";

  private static final int ROUNDS = 200;

  private final Holdfast store;
  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();

  private interface Work {
    void run() throws InterruptedException;
  }

  private ExampleRounds(Holdfast store, ExecutorService threads) {
    this.store = store;
    this.threads = threads;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    try (Holdfast store = Holdfast.open(Path.of(arguments[1]));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      ExampleRounds rounds = new ExampleRounds(store, threads);
      rounds.buffer();
      rounds.bank();
      rounds.inventory();
      rounds.scheduler();
      for (Future<?> each : rounds.running) {
        each.get();
      }
      com.example.jobs.Main.main(new String[] {directory.resolve("jobs.hf").toString(), "40"});
      outbox(directory.resolve("outbox.hf"));
      System.out.println(DONE);
      System.in.transferTo(System.out);
    }
  }

  private static void outbox(Path file) throws Exception {
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/charges",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    service.start();
    String uri = "http://localhost:%d/charges".formatted(service.getAddress().getPort());
    com.example.outbox.Main.main(new String[] {file.toString(), uri, "12"});
    service.stop(0);
  }

  private void start(Work round) {
    running.add(
        threads.submit(
            () -> {
              for (int i = 0; i < ROUNDS; i++) {
                round.run();
              }
              return null;
            }));
  }

  private Queue<Long> number(String name, long first) {
    Queue<Long> number = store.queue(name, Long.class);
    number.add(first);
    return number;
  }

  private void bank() {
    List<Account> accounts = new ArrayList<>();
    store.atomically(
        () -> {
          for (int i = 0; i < 3; i++) {
            accounts.add(new Account(number("balance " + i, 1_000)));
          }
        });
    Bank bank = new Bank(accounts);
    start(() -> bank.transfer(0, 1, 1));
    start(() -> bank.transfer(1, 0, 2));
    start(() -> bank.transfer(2, 1, 1));
    start(() -> accounts.getFirst().balance());
  }

  /// Fills two queues in two lines, without a lock.
  private void buffer() {
    BoundedBuffer<Item> buffer = new BoundedBuffer<>(store.queue("buffer", Item.class), 3);
    Queue<Long> made = number("made", 0);
    Queue<Long> taken = number("taken", 0);
    start(new Producer(0, buffer, made)::produce);
    start(new Consumer(buffer, List.of(taken))::consume);
  }

  private void inventory() {
    Queue<String> shelf = store.queue("shelf", String.class);
    store.atomically(() -> shelf.addAll(List.of("apple", "pear", "plum")));
    Inventory inventory =
        new Inventory(
            shelf, store.queue("reserved", String.class), store.queue("shipped", String.class));
    start(inventory::reserve);
    start(inventory::ship);
    start(inventory::takeBack);
    start(inventory::count);
  }

  private void scheduler() {
    Queue<String> done = store.queue("done", String.class);
    store.atomically(() -> done.addAll(List.of("sweep", "wash")));
    JobScheduler scheduler =
        new JobScheduler(
            store.queue("waiting", String.class), store.queue("running", String.class), done, 2);
    scheduler.recover();
    start(scheduler::submitAgain);
    start(() -> scheduler.finish(scheduler.next()));
  }
}
