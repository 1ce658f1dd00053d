package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.TransactionTimeoutException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random transactions over a map, a sorted map and a queue, and the same on a `HashMap`, a
/// `TreeMap` and an `ArrayDeque`: with alternatives, nested ones, locks in their bodies, bodies
/// that fail, wait or close the store, others that change what was read, alone and inside of
/// `atomically` and locks, on devices that have room and that are full. Every answer of a body that
/// was committed is that of the model, and so is the content after each transaction, and after a
/// crash in its middle.
///
/// `-Dholdfast.seed` repeats a failure.
@ExtendWith(QuietRecoveries.class)
class TransactionModelTest {
  private static final Long ONLY = Long.getLong("holdfast.seed");
  private static final int RUNS = TestForm.count(12, 100);
  private static final int TRANSACTIONS = 60;
  private static final int KEYS = 12;

  /// The three collections, of a store or of the model.
  private record World(
      Map<Integer, String> map, NavigableMap<Integer, String> tree, Queue<String> queue) {
    static World empty() {
      return new World(new HashMap<>(), new TreeMap<>(), new ArrayDeque<>());
    }

    static World of(Holdfast store) {
      return new World(
          store.hashMap("map", Integer.class, String.class),
          store.treeMap("tree", Integer.class, String.class),
          store.queue("queue", String.class));
    }

    World copy() {
      return new World(new HashMap<>(map), new TreeMap<>(tree), new ArrayDeque<>(queue));
    }

    void become(World other) {
      map.clear();
      map.putAll(other.map);
      tree.clear();
      tree.putAll(other.tree);
      queue.clear();
      queue.addAll(other.queue);
    }

    List<Object> content() {
      return List.of(new TreeMap<>(map), new ArrayList<>(tree.entrySet()), List.copyOf(queue));
    }
  }

  private sealed interface Step {}

  private record Do(String name, Function<World, Object> operation) implements Step {
    @Override
    public String toString() {
      return name;
    }
  }

  private record OrElse(List<Step> first, List<Step> second) implements Step {}

  private record Nested(List<Step> steps) implements Step {}

  private record UnderALock(List<Step> steps) implements Step {}

  /// Waits if the map lacks a key.
  private record RetryWithout(int key) implements Step {}

  private record Fail() implements Step {}

  /// Another thread does something in the middle of the first run.
  private record Meanwhile(Do change) implements Step {}

  /// The bytes, as a crash would leave them.
  private record Crash() implements Step {}

  private record Close() implements Step {}

  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class ModelRetry extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// Does steps, and keeps the answers of the last run.
  private abstract static class Side {
    final List<Object> answers = new ArrayList<>();
    World world;

    Side(World world) {
      this.world = world;
    }

    void run(List<Step> steps) {
      for (Step step : steps) {
        switch (step) {
          case Do one -> answers.add(one + " = " + one.operation.apply(world));
          case OrElse two -> {
            int before = answers.size();
            orElse(
                () -> run(two.first),
                () -> {
                  answers.subList(before, answers.size()).clear();
                  run(two.second);
                });
          }
          case Nested nested -> nested(() -> run(nested.steps));
          case UnderALock locked -> {
            Lock lock = new DurableLock();
            lock.lock();
            try {
              run(locked.steps);
            } finally {
              lock.unlock();
            }
          }
          case RetryWithout some -> {
            if (!world.map.containsKey(some.key)) {
              retry();
            }
          }
          case Fail _ -> throw new Failure();
          case Meanwhile other -> meanwhile(other.change);
          case Crash _ -> crash();
          case Close _ -> close();
        }
      }
    }

    abstract void orElse(Runnable first, Runnable second);

    abstract void nested(Runnable body);

    abstract void retry();

    void meanwhile(Do change) {}

    void crash() {}

    void close() {}
  }

  private static final class ModelSide extends Side {
    ModelSide(World world) {
      super(world);
    }

    @Override
    void orElse(Runnable first, Runnable second) {
      World before = world.copy();
      try {
        first.run();
      } catch (ModelRetry e) {
        world.become(before);
        second.run();
      }
    }

    @Override
    void nested(Runnable body) {
      body.run();
    }

    @Override
    void retry() {
      throw new ModelRetry();
    }
  }

  /// Makes steps.
  private static final class Steps {
    private final Random random;

    Steps(Random random) {
      this.random = random;
    }

    private Do operation() {
      return random.nextInt(3) == 0 ? look() : change();
    }

    private Do change() {
      int key = random.nextInt(KEYS);
      String value = value();
      return switch (random.nextInt(12)) {
        case 0 -> named("map.put", key, w -> w.map.put(key, value));
        case 1 -> named("map.remove", key, w -> w.map.remove(key));
        case 2 -> named("map.merge", key, w -> w.map.merge(key, value, Steps::merged));
        case 3 -> named("map.putIfAbsent", key, w -> w.map.putIfAbsent(key, value));
        case 4 -> named("tree.put", key, w -> w.tree.put(key, value));
        case 5 -> named("tree.remove", key, w -> w.tree.remove(key));
        case 6 -> named("tree.merge", key, w -> w.tree.merge(key, value, Steps::merged));
        case 7 -> named("tree.pollFirst", key, w -> w.tree.pollFirstEntry());
        case 8 ->
            named("map to tree", key, w -> w.tree.put(key, w.map.getOrDefault(key + 1, "none")));
        case 9, 10 -> named("offer", key, w -> w.queue.offer(value));
        default -> named("poll", key, w -> w.queue.poll());
      };
    }

    private Do look() {
      int key = random.nextInt(KEYS);
      return switch (random.nextInt(10)) {
        case 0 -> named("map.get", key, w -> w.map.get(key));
        case 1 -> named("map.size", key, w -> w.map.size());
        case 2 -> named("map, all", key, w -> new TreeMap<>(w.map));
        case 3 -> named("tree.get", key, w -> w.tree.get(key));
        case 4 -> named("tree.size", key, w -> w.tree.size());
        case 5 -> named("tree.floor", key, w -> w.tree.floorEntry(key));
        case 6 -> named("tree.first", key, w -> w.tree.firstEntry());
        case 7 -> named("tree.tail", key, w -> new TreeMap<>(w.tree.tailMap(key, true)));
        case 8 -> named("peek", key, w -> w.queue.peek());
        default -> named("queue, all", key, w -> List.copyOf(w.queue));
      };
    }

    private static Do named(String name, int key, Function<World, Object> operation) {
      return new Do(name + " " + key, operation);
    }

    /// Some come to nothing.
    private static String merged(String before, String added) {
      return (before.length() + added.length()) % 3 == 0 ? null : before.charAt(0) + added;
    }

    private String value() {
      int length = random.nextInt(20) == 0 ? 3_000 : 20;
      return Integer.toString(random.nextInt(1_000)).repeat(1 + random.nextInt(length));
    }

    List<Step> some(boolean others, int depth) {
      List<Step> steps = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        int kind = random.nextInt(depth == 0 ? 24 : 40);
        switch (kind) {
          case 0 -> steps.add(new OrElse(waiting(others, depth), some(others, depth + 1)));
          case 1 -> steps.add(new Nested(some(others, depth + 1)));
          case 2 -> steps.add(new UnderALock(some(others, depth + 1)));
          case 3 -> steps.add(new Crash());
          case 4, 5 -> {
            if (others) {
              steps.add(new Meanwhile(keyed()));
            }
          }
          default -> steps.add(operation());
        }
      }
      return steps;
    }

    private List<Step> waiting(boolean others, int depth) {
      List<Step> steps = some(others, depth + 1);
      steps.add(random.nextInt(steps.size() + 1), new RetryWithout(random.nextInt(KEYS)));
      return steps;
    }

    /// A change of one key, whose order beside a transaction only answers can tell.
    private Do keyed() {
      int key = random.nextInt(KEYS);
      String value = value();
      return switch (random.nextInt(4)) {
        case 0 -> named("map.put", key, w -> w.map.put(key, value));
        case 1 -> named("map.remove", key, w -> w.map.remove(key));
        case 2 -> named("tree.put", key, w -> w.tree.put(key, value));
        default -> named("tree.remove", key, w -> w.tree.remove(key));
      };
    }

    Do last() {
      String value = value();
      return named("map.put", KEYS, w -> w.map.put(KEYS, value));
    }

    List<Step> reads() {
      return List.of(look(), look(), look());
    }
  }

  /// A store and its model.
  private static final class Run {
    private final String reproduce;
    private final Random random;
    private final Steps steps;
    private final World model = World.empty();
    private final List<Do> others = new ArrayList<>();
    private RecordingMemory memory = new RecordingMemory();
    private RecordingMemory crashed;
    private Holdfast store;

    Run(long seed) {
      reproduce = "-Dtest=TransactionModelTest -Dholdfast.seed=" + seed;
      random = new Random(seed);
      steps = new Steps(random);
      store = Holdfast.over(memory);
      World.of(store); // made while there is room
    }

    /// A body's steps on the store.
    private final class StoreSide extends Side {
      private boolean isFirstRun = true;

      StoreSide() {
        super(World.of(store));
      }

      void body(List<Step> body) {
        answers.clear();
        run(body);
      }

      @Override
      void orElse(Runnable first, Runnable second) {
        Transaction.orElse(first, second);
      }

      @Override
      void nested(Runnable body) {
        store.transaction(body);
      }

      @Override
      void retry() {
        Transaction.retry();
      }

      @Override
      void meanwhile(Do change) {
        if (isFirstRun) {
          isFirstRun = false;
          inAnotherThread(() -> change.operation.apply(world));
          others.add(change);
        }
      }

      @Override
      void crash() {
        crashed = memory.copy();
      }

      @Override
      void close() {
        store.close();
      }
    }

    private static void inAnotherThread(Runnable action) {
      Thread thread = Thread.ofPlatform().start(action);
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    void run() {
      for (int i = 0; i < TRANSACTIONS; i++) {
        World before = model.copy();
        crashed = null;
        others.clear();
        switch (random.nextInt(10)) {
          case 0 -> alone(true, new Fail());
          case 1 -> alone(false, new RetryWithout(random.nextInt(KEYS)));
          case 2 -> readOnly();
          case 3 -> onAFullDevice();
          case 4 -> closing();
          case 5, 6 -> inASection();
          default -> alone(true, null);
        }
        assertThat(World.of(store).content()).as(reproduce).isEqualTo(model.content());
        if (crashed != null && others.isEmpty()) {
          checkCrashed(before);
        }
      }
      store.close();
      store = Holdfast.over(memory);
      assertThat(World.of(store).content()).as(reproduce).isEqualTo(model.content());
      store.close();
    }

    /// In the middle of a transaction nothing of it is there.
    private void checkCrashed(World before) {
      try (Holdfast left = Holdfast.over(crashed)) {
        assertThat(World.of(left).content()).as(reproduce).isEqualTo(before.content());
      }
    }

    private List<Step> body(boolean hasOthers, Step end) {
      List<Step> body = steps.some(hasOthers, 0);
      if (hasOthers) {
        body.add(steps.last()); // one that only reads may come before the others
      }
      if (end != null) {
        body.add(end);
      }
      return body;
    }

    private void alone(boolean hasOthers, Step end) {
      List<Step> body = body(hasOthers, end);
      Transaction.Options options = Transaction.Options.defaults();
      StoreSide side = new StoreSide();
      Class<?> outcome =
          outcome(
              () ->
                  store.transaction(
                      hasOthers ? options : options.timeLimit(Duration.ofMillis(1)),
                      () -> side.body(body)));
      others.forEach(each -> each.operation.apply(model));
      compare(body, side, outcome, TransactionTimeoutException.class);
    }

    /// Does the same on the model.
    private void compare(List<Step> body, StoreSide side, Class<?> outcome, Class<?> ofRetry) {
      ModelSide its = new ModelSide(model.copy());
      Class<?> expected = outcome(() -> its.run(body));
      String what = reproduce + ": " + body;
      assertThat(outcome).as(what).isEqualTo(expected == ModelRetry.class ? ofRetry : expected);
      if (expected == null) {
        assertThat(side.answers).as(what).isEqualTo(its.answers);
        model.become(its.world);
      }
    }

    /// @return the class of what was thrown; `null` for nothing
    private static Class<?> outcome(Runnable action) {
      try {
        action.run();
        return null;
      } catch (Failure
          | ModelRetry
          | TransactionTimeoutException
          | RegionFullException
          | StoreClosedException
          | IllegalStateException e) {
        return e.getClass();
      }
    }

    private void readOnly() {
      List<Step> body = new ArrayList<>(steps.reads());
      Transaction.Options readOnly = Transaction.Options.defaults().readOnly();
      StoreSide side = new StoreSide();
      compare(body, side, outcome(() -> store.transaction(readOnly, () -> side.body(body))), null);
      body.add(steps.keyed());
      assertThat(outcome(() -> store.transaction(readOnly, () -> side.body(body))))
          .as(reproduce)
          .isEqualTo(IllegalStateException.class);
    }

    /// Nothing is there of one that finds no room, whatever is around it.
    private void onAFullDevice() {
      memory.limitTo(memory.length());
      List<Step> body = body(false, null);
      int length = 1 + random.nextInt(200_000);
      body.add(new Do("offer a long one", w -> w.queue.offer("l".repeat(length))));
      body.add(new Do("put a long one", w -> w.map.put(0, "m".repeat(length / 100))));
      StoreSide side = new StoreSide();
      boolean isInner = random.nextBoolean();
      Class<?> outcome =
          outcome(
              () -> {
                if (isInner) {
                  store.atomically(() -> store.transaction(() -> side.body(body)));
                } else {
                  store.transaction(() -> side.body(body));
                }
              });
      memory.limitTo(Long.MAX_VALUE);
      if (outcome != RegionFullException.class) {
        compare(body, side, outcome, null);
      }
    }

    /// The store is closed in the middle of a body, which then can't go on or be committed.
    private void closing() {
      List<Step> body = body(false, new Close());
      body.add(steps.last()); // one that only reads may come before the closing
      StoreSide side = new StoreSide();
      Class<?> outcome = outcome(() -> store.transaction(() -> side.body(body)));
      assertThat(outcome).as("%s: %s", reproduce, body).isEqualTo(StoreClosedException.class);
      store = Holdfast.over(memory);
    }

    /// Single operations of the section before and after the transaction, which is undone by itself
    /// if it fails.
    private void inASection() {
      List<Step> first = new ArrayList<>(List.of(steps.operation(), steps.operation()));
      List<Step> last = List.of(steps.operation());
      Step end =
          switch (random.nextInt(4)) {
            case 0 -> new Fail();
            case 1 -> new RetryWithout(random.nextInt(KEYS));
            default -> null;
          };
      List<Step> body = body(false, end);
      boolean givesUpALock = random.nextBoolean();
      Runnable section =
          () -> {
            StoreSide single = new StoreSide();
            ModelSide its = new ModelSide(model);
            single.run(first);
            its.run(first);
            if (givesUpALock) {
              single.run(List.of(new UnderALock(first)));
              its.run(first);
            }
            StoreSide side = new StoreSide();
            compare(
                body,
                side,
                outcome(() -> store.transaction(() -> side.body(body))),
                IllegalStateException.class);
            single.run(last);
            its.run(last);
            assertThat(single.answers).as(reproduce).isEqualTo(its.answers);
            assertThat(World.of(store).content()).as(reproduce).isEqualTo(model.content());
          };
      if (random.nextBoolean()) {
        store.atomically(section);
      } else {
        Lock lock = new DurableLock();
        lock.lock();
        try {
          section.run();
        } finally {
          lock.unlock();
        }
      }
      if (givesUpALock) {
        crashed = null; // what was stored openly is the section's, as the explorer's tests show
      }
    }
  }

  @Test
  void t1ToT7AgreeWithTheModel() {
    for (long seed = ONLY == null ? 1 : ONLY; seed <= (ONLY == null ? RUNS : ONLY); seed++) {
      try {
        new Run(seed).run();
      } catch (RuntimeException e) {
        fail("-Dtest=TransactionModelTest -Dholdfast.seed=" + seed, e);
      }
    }
  }
}
