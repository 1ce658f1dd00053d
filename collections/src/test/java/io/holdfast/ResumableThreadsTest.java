package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Threads that make calls of one function at once.
@Timeout(120)
class ResumableThreadsTest {
  private static final int THREADS = 8, IDS = 200, CALLS = 2_000;

  @TempDir private Path directory;

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get(100, TimeUnit.SECONDS);
      }
    }
  }

  /// By `run`, by `submit` and in sections.
  @Test
  void call2ManyCallsWithOneIdAreOne() throws Exception {
    try (Holdfast store = Holdfast.open(directory.resolve("calls.hf"))) {
      Map<Integer, Integer> made = store.hashMap("made", Integer.class, Integer.class);
      AtomicInteger numbers = new AtomicInteger();
      Resumable<Integer, Integer> call =
          store.resumable(
              "call",
              Integer.class,
              Integer.class,
              x -> {
                made.merge(x, 1, Integer::sum);
                return numbers.incrementAndGet(); // of another run, another one
              });
      Map<Integer, Integer> results = new ConcurrentHashMap<>();
      inThreads(
          thread -> {
            for (int i = 0; i < IDS; i++) {
              int number = (i + 10 * thread) % IDS;
              String id = "id " + number;
              int result =
                  switch ((thread + i) % 4) {
                    case 0 -> call.submit(id, number).get();
                    case 1 -> store.atomically(() -> call.run(id, number));
                    case 2 -> store.transaction(() -> call.run(id, number));
                    default -> call.run(id, number);
                  };
              Integer before = results.putIfAbsent(number, result);
              assertThat(before == null || before == result).as("one result for an id").isTrue();
            }
          });
      assertThat(made).hasSize(IDS);
      assertThat(made.values()).containsOnly(1);
      assertThat(store.unfinished()).isEmpty();
    }
  }

  @Test
  void callsOfAKeyAreMadeOneAfterTheOther() throws Exception {
    try (Holdfast store = Holdfast.open(directory.resolve("keys.hf"))) {
      Map<Integer, Integer> next = store.hashMap("next", Integer.class, Integer.class);
      Map<Integer, Integer> late = new ConcurrentHashMap<>();
      Resumable<int[], Integer> call =
          store.resumable(
              "call",
              int[].class,
              Integer.class,
              Resumable.Options.<int[]>defaults().orderedBy(x -> x[0]),
              x -> {
                Integer expected = next.getOrDefault(x[0], 0);
                if (expected != x[1]) {
                  late.put(x[0], x[1]);
                }
                next.put(x[0], x[1] + 1);
                return x[1];
              });
      inThreads(
          thread -> {
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < CALLS / THREADS; i++) {
              if (i % 10 == 9) {
                assertThat(call.run(new int[] {thread, i})).isEqualTo(i);
              } else {
                all.add(call.submit(new int[] {thread, i}));
              }
            }
            for (CompletableFuture<Integer> each : all) {
              each.get(100, TimeUnit.SECONDS);
            }
          });
      assertThat(late).isEmpty();
      assertThat(next).hasSize(THREADS);
      assertThat(next.values()).containsOnly(CALLS / THREADS);
      assertThat(store.unfinished()).isEmpty();
    }
  }
}
