package io.holdfast.stress.linearizability;

import java.util.Map;
import java.util.TreeMap;

/// What maps must be like.
public class SequentialMap {
  /// A merge that comes to more removes.
  static final int SUM_MAX = 5;

  private final TreeMap<Integer, Integer> map = new TreeMap<>();

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
    return map.merge(
        key, value, (before, added) -> before + added > SUM_MAX ? null : before + added);
  }

  public boolean replace(int key, int value) {
    return map.replace(key, value, value + 1);
  }

  public boolean removeValue(int key, int value) {
    return map.remove(key, value);
  }

  /// An entry as a number: its key and value.
  static Integer shown(int key, Integer value) {
    return 10 * key + value;
  }

  private static Integer shown(Map.Entry<Integer, Integer> entry) {
    return entry == null ? null : shown(entry.getKey(), entry.getValue());
  }

  public Integer floor(int key) {
    return shown(map.floorEntry(key));
  }

  public Integer ceiling(int key) {
    return shown(map.ceilingEntry(key));
  }

  public Integer first() {
    return shown(map.firstEntry());
  }

  public Integer last() {
    return shown(map.lastEntry());
  }
}
