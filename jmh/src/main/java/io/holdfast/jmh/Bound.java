package io.holdfast.jmh;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import java.util.List;
import java.util.stream.Stream;

/// What one measurement must not exceed, whatever it is beside others: the targets of the issues
/// that name a time, a size or a count. Those that are ratios are {@link Target}s.
///
/// @param subject as {@link Results} calls it, without the number of entries
/// @param most in the measurement's unit
record Bound(String subject, double most) {
  private static final double WARM_MS = 5, FRESH_MS = 150;

  /// Of entries rebuilt: five million a second.
  private static final double REBUILT_A_MS = 5_000;

  /// What a file may take for a byte of its payload in whole lines.
  static final double MEDIA = 1.5;

  /// The heap is independent of the number of entries if one takes less.
  private static final double HEAP_BYTES_AN_ENTRY = 1;

  static final List<Bound> ALL =
      Stream.of(reopened(), space(), tools(), counted()).flatMap(bounds -> bounds).toList();

  private static Stream<Bound> reopened() {
    return ReopenBenchmark.ALL_SIZES.stream()
        .flatMap(
            size ->
                Stream.concat(
                    Stream.of(Maps.HOLDFAST, Trees.HOLDFAST)
                        .flatMap(
                            map ->
                                Stream.of(
                                    new Bound(ReopenBenchmark.name("warm", map, size), WARM_MS),
                                    new Bound(ReopenBenchmark.name("fresh", map, size), FRESH_MS))),
                    Stream.of(
                        new Bound(
                            ReopenBenchmark.name("rebuilt", Maps.HOLDFAST_POWER, size),
                            size / REBUILT_A_MS))));
  }

  private static Stream<Bound> space() {
    return Stream.concat(
        MapSpace.VALUE_BYTES.stream().map(bytes -> new Bound(MapSpace.mediaName(bytes), MEDIA)),
        Stream.of(new Bound(MapSpace.HEAP, HEAP_BYTES_AN_ENTRY)));
  }

  private static Stream<Bound> tools() {
    return Stream.of(
            Stream.of(new Bound(ToolBenchmark.name("verify", 10_000_000), 10_000)),
            ToolBenchmark.SIZES.stream()
                .flatMap(
                    size ->
                        Stream.of(
                            new Bound(ToolBenchmark.name("info", size), 300),
                            // A million entries a second.
                            new Bound(ToolBenchmark.name("dump", size), size / 1_000.0))),
            Stream.of(new Bound(AgentStartBenchmark.WEAVING, 1_000)))
        .flatMap(bounds -> bounds);
  }

  private static Stream<Bound> counted() {
    return Stream.of(new Bound(TreeFences.NAME, 1));
  }

  /// What is asked for.
  String asked() {
    return "at most %,.2f".formatted(most);
  }

  boolean isMet(double value) {
    return value <= most;
  }
}
