package io.holdfast.stress.linearizability;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentHashMap;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Whether what threads see of a map is what a `HashMap` would show in some order of their
/// operations. Sizes are left out: they are weakly consistent.
///
/// Lincheck's stress mode, real threads: its model checker replaces what threads wait by, and can't
/// follow words of a mapped file.
class HashMapLinearizabilityTest {
  private static final StressOptions OPTIONS =
      new StressOptions()
          .iterations(25)
          .invocationsPerIteration(300)
          .threads(3)
          .actorsPerThread(3)
          .minimizeFailedScenario(false)
          .sequentialSpecification(Sequential.class);

  @AfterAll
  static void close() throws IOException {
    LinearizabilityStore.close();
  }

  @Test
  void operationsOnKeys() {
    OPTIONS.check(Persistent.class);
  }

  /// A check that can't fail would show nothing.
  @Test
  void aMergeInTwoStepsIsNoticed() {
    assertThatThrownBy(() -> OPTIONS.check(InTwoSteps.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  /// What the map must be like.
  public static final class Sequential {
    private final Map<Integer, Integer> map = new HashMap<>();

    public Integer get(int key) {
      return map.get(key);
    }

    public Integer put(int key, int value) {
      return map.put(key, value);
    }

    public Integer remove(int key) {
      return map.remove(key);
    }

    public Integer putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, value);
    }

    public Integer merge(int key, int value) {
      return map.merge(key, value, (before, added) -> before + added > 5 ? null : before + added);
    }

    public boolean replace(int key, int value) {
      return map.replace(key, value, value + 1);
    }

    public boolean removeValue(int key, int value) {
      return map.remove(key, value);
    }
  }

  /// The map itself.
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static class Persistent {
    private static final int KEYS = 8;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final PersistentHashMap<Integer, Integer> map =
        LinearizabilityStore.open().hashMap("map", Integer.class, Integer.class);
    private final int first = MADE.incrementAndGet() * KEYS;

    @Operation
    public Integer get(@Param(name = "key") int key) {
      return map.get(first + key);
    }

    @Operation
    public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.put(first + key, value);
    }

    @Operation
    public Integer remove(@Param(name = "key") int key) {
      return map.remove(first + key);
    }

    @Operation
    public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.putIfAbsent(first + key, value);
    }

    @Operation
    public Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
      return merge(map, first + key, value);
    }

    Integer merge(PersistentHashMap<Integer, Integer> changed, int key, int value) {
      return changed.merge(
          key, value, (before, added) -> before + added > 5 ? null : before + added);
    }

    @Operation
    public boolean replace(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.replace(first + key, value, value + 1);
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.remove(first + key, value);
    }
  }

  /// A fault.
  @Param(name = "key", gen = IntGen.class, conf = "1:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static final class InTwoSteps extends Persistent {
    @Override
    Integer merge(PersistentHashMap<Integer, Integer> changed, int key, int value) {
      Integer before = changed.get(key);
      LockSupport.parkNanos(1);
      Integer after = before == null ? Integer.valueOf(value) : Integer.valueOf(before + value);
      if (before != null && after > 5) {
        changed.remove(key);
        return null;
      }
      changed.put(key, after);
      return after;
    }
  }
}
