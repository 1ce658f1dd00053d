package io.holdfast.jmh.map;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The ceilings, which survive nothing and keep the very objects: `ConcurrentSkipListMap`, and
/// `TreeMap`, under a lock since there may be two threads.
final class JdkTree extends NavigableTree {
  private NavigableMap<Long, Long> map;

  private JdkTree(NavigableMap<Long, Long> map) {
    this.map = map;
  }

  static BenchmarkMap concurrent() {
    return new JdkTree(new ConcurrentSkipListMap<>());
  }

  static BenchmarkMap locked() {
    return new JdkTree(Collections.synchronizedNavigableMap(new TreeMap<>()));
  }

  @Override
  NavigableMap<Long, Long> map() {
    return map;
  }

  @Override
  public void close() {
    map = null;
  }
}
