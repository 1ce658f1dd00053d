package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// A transfer between two of 100,000 accounts of one hash map, by `merge`.
@Experiment(
    question = "what does it take to make a call that happens exactly once?",
    floor = "the same work in `atomically`, and in `transaction`",
    variables = "whether the call has an id")
public class ResumableBenchmark extends ComparedProcess {
  private static final int ACCOUNTS = 100_000;

  static final List<String> ALL = List.of("atomically", "transaction", "run", "runWithAnId");

  static String name(String method) {
    return "ResumableBenchmark." + method;
  }

  record Transfer(long from, long to, long cents) {}

  private final Draws draws = new Draws(1);
  private Scratch scratch;
  private Holdfast store;
  private Map<Long, Long> accounts;
  private Resumable<Transfer, Void> transfer;
  private long number;

  @Setup
  public void open() {
    scratch = new Scratch();
    store = Holdfast.open(scratch.file("accounts.hf"));
    accounts = store.hashMap("accounts", Long.class, Long.class);
    for (long i = 0; i < ACCOUNTS; i++) {
      accounts.put(i, 0L);
    }
    transfer =
        store.resumable(
            "transfer",
            Transfer.class,
            Resumable.Options.<Transfer>defaults().keep(100_000, Duration.ofDays(1)),
            this::move);
  }

  @TearDown
  public void close() {
    store.close();
    scratch.close();
  }

  private Transfer next() {
    return new Transfer(draws.item(ACCOUNTS), draws.item(ACCOUNTS), 1);
  }

  private void move(Transfer each) {
    accounts.merge(each.from(), -each.cents(), Long::sum);
    accounts.merge(each.to(), each.cents(), Long::sum);
  }

  @Benchmark
  public void atomically() {
    Transfer each = next();
    store.atomically(() -> move(each));
  }

  @Benchmark
  public void transaction() {
    Transfer each = next();
    store.transaction(() -> move(each));
  }

  @Benchmark
  public void run() {
    transfer.run(next());
  }

  @Benchmark
  public void runWithAnId() {
    transfer.run("order " + number++, next());
  }
}
