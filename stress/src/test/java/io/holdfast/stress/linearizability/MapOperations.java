package io.holdfast.stress.linearizability;

import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/// The operations of a map on one key, for Lincheck, which makes an object for each of its many
/// runs: they share a map, and each has keys of its own.
///
/// @param <V> what stands for a number in the map
@Param(name = "key", gen = IntGen.class, conf = "1:3")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public abstract class MapOperations<V> {
  /// How many keys a run has, from `first` on.
  static final int KEYS = 8;

  private static final AtomicInteger MADE = new AtomicInteger();

  final int first = MADE.incrementAndGet() * KEYS;
  private final ConcurrentMap<Integer, V> map;

  MapOperations(ConcurrentMap<Integer, V> map) {
    this.map = map;
  }

  abstract V value(int number);

  /// @param value `null` for none
  abstract Integer number(V value);

  @Operation
  public Integer get(@Param(name = "key") int key) {
    return number(map.get(first + key));
  }

  @Operation
  public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(map.put(first + key, value(value)));
  }

  @Operation
  public Integer remove(@Param(name = "key") int key) {
    return number(map.remove(first + key));
  }

  @Operation
  public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(map.putIfAbsent(first + key, value(value)));
  }

  @Operation
  public Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(merge(map, first + key, value));
  }

  /// As a map does; a fault may do otherwise.
  V merge(ConcurrentMap<Integer, V> changed, int key, int value) {
    return changed.merge(key, value(value), this::merged);
  }

  /// A fault, for those that want it.
  final V mergeInTwoSteps(ConcurrentMap<Integer, V> changed, int key, int value) {
    V before = changed.get(key);
    LockSupport.parkNanos(1);
    V after = before == null ? value(value) : merged(before, value(value));
    if (after == null) {
      changed.remove(key);
    } else {
      changed.put(key, after);
    }
    return after;
  }

  private V merged(V before, V added) {
    int sum = number(before) + number(added);
    return sum > SequentialMap.SUM_MAX ? null : value(sum);
  }

  @Operation
  public boolean replace(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.replace(first + key, value(value), value(value + 1));
  }

  @Operation
  public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.remove(first + key, value(value));
  }
}
