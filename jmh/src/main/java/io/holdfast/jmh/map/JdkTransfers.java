package io.holdfast.jmh.map;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The ceiling, which survives nothing: a `HashMap` and a `TreeMap` under a lock.
final class JdkTransfers implements Transfers {
  private final Map<Long, Long> first = new HashMap<>();
  private final Map<Long, Long> second = new TreeMap<>();

  JdkTransfers(long entries) {
    fill(first, second, entries);
  }

  static void fill(Map<Long, Long> first, Map<Long, Long> second, long entries) {
    for (long i = 0; i < entries; i++) {
      first.put(Items.longKey(i), 0L);
      second.put(Items.longKey(i), 0L);
    }
  }

  static long total(Map<Long, Long> map) {
    return map.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public synchronized void transfer(long from, long to, long amount) {
    first.merge(Items.longKey(from), -amount, Long::sum);
    second.merge(Items.longKey(to), amount, Long::sum);
  }

  @Override
  public long total() {
    return total(first) + total(second);
  }

  @Override
  public void close() {
    first.clear();
    second.clear();
  }
}
