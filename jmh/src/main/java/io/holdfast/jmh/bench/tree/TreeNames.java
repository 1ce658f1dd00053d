package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import java.util.List;
import java.util.stream.Stream;

/// What {@link Results} calls the benchmarks of trees, and what their targets are.
public final class TreeNames {
  private static final List<String> CEILINGS =
      List.of(Trees.CONCURRENT_SKIP_LIST_MAP, Trees.TREE_MAP);
  private static final List<String> PEERS = List.of(Trees.MAP_DB, Maps.H2_MV_STORE, Maps.XODUS);

  private TreeNames() {}

  static String read(String method, String tree) {
    return "TreeBenchmark.%s(tree=%s)".formatted(method, tree);
  }

  static String insert(String method, String tree) {
    return "TreeInsertBenchmark.%s(tree=%s)".formatted(method, tree);
  }

  public static Stream<Target> targets() {
    return Stream.of(
            inserted("random", 1 / 5.0, 1 / 3.0),
            inserted("randomByTwo", 1 / 5.0, 1 / 3.0),
            inserted("sequential", 1 / 5.0, 1 / 5.0),
            read("get", 1, 1 / 1.5),
            read("getByTwo", 1, 1 / 1.5),
            read("scan", Target.REPORTED, 1),
            read("scanByTwo", Target.REPORTED, 1),
            // Two writers do at least 1.7 times the work of one.
            Stream.concat(Stream.of(Trees.HOLDFAST), others().stream())
                .map(
                    tree ->
                        new Target(
                            insert("randomByTwo", tree),
                            insert("random", tree),
                            tree.equals(Trees.HOLDFAST) ? 2 / 1.7 : Target.REPORTED)))
        .flatMap(targets -> targets);
  }

  private static List<String> others() {
    return Stream.of(CEILINGS, List.of(Maps.LMDB), PEERS).flatMap(List::stream).toList();
  }

  private static Stream<Target> inserted(String method, double mostOfLmdb, double mostOfPeers) {
    return others().stream()
        .map(
            other ->
                new Target(
                    insert(method, Trees.HOLDFAST),
                    insert(method, other),
                    CEILINGS.contains(other)
                        ? Target.REPORTED
                        : other.equals(Maps.LMDB) ? mostOfLmdb : mostOfPeers));
  }

  private static Stream<Target> read(String method, double mostOfSkipList, double mostOfLmdb) {
    return others().stream()
        .map(
            other ->
                new Target(
                    read(method, Trees.HOLDFAST),
                    read(method, other),
                    other.equals(Trees.CONCURRENT_SKIP_LIST_MAP)
                        ? mostOfSkipList
                        : other.equals(Maps.LMDB) ? mostOfLmdb : Target.REPORTED));
  }
}
