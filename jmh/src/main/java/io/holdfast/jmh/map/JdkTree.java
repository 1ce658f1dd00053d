package io.holdfast.jmh.map;

import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The ceilings, which survive nothing and keep the very objects: `ConcurrentSkipListMap`, and
/// `TreeMap`, under a lock since there may be two threads.
final class JdkTree extends NavigableTree {
  private NavigableMap<Long, Long> map;
  private NavigableMap<byte[], byte[]> byteMap;

  private JdkTree(NavigableMap<Long, Long> map, NavigableMap<byte[], byte[]> byteMap) {
    this.map = map;
    this.byteMap = byteMap;
  }

  static BenchmarkMap concurrent() {
    return new JdkTree(
        new ConcurrentSkipListMap<>(), new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
  }

  static BenchmarkMap locked() {
    return new JdkTree(
        Collections.synchronizedNavigableMap(new TreeMap<>()),
        Collections.synchronizedNavigableMap(new TreeMap<>(Arrays::compareUnsigned)));
  }

  @Override
  NavigableMap<Long, Long> map() {
    return map;
  }

  @Override
  NavigableMap<byte[], byte[]> byteMap() {
    return byteMap;
  }

  @Override
  public void close() {
    map = null;
    byteMap = null;
  }
}
