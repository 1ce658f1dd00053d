/// Benchmarks. Each states its question and has a floor to compare with: a plain copy, the
/// `java.util` twin, or a peer.
///
/// {@link io.holdfast.jmh.Bench} runs them, and {@link io.holdfast.jmh.Report} compares them by
/// {@link io.holdfast.jmh.Target}s: {@link io.holdfast.jmh.SectionBenchmark} what a failure-atomic
/// section costs, {@link io.holdfast.jmh.AtlasBenchmark} what sections cost the programs of the
/// Atlas paper, {@link io.holdfast.jmh.HeapBenchmark} what blocks cost, {@link
/// io.holdfast.jmh.QueueBenchmark} what a queue does, {@link io.holdfast.jmh.LogBenchmark} what an
/// append to each of the CSO paper's logs does; of maps {@link io.holdfast.jmh.MapBenchmark},
/// {@link io.holdfast.jmh.InsertBenchmark}, {@link io.holdfast.jmh.YcsbBenchmark}, their floors
/// {@link io.holdfast.jmh.FloorBenchmark}, one round trip against two {@link
/// io.holdfast.jmh.RoundTripBenchmark}, and, not by JMH, {@link io.holdfast.jmh.ReopenBenchmark}.
/// What was measured is written as JMH's JSON by {@link io.holdfast.jmh.Rounds} and drawn by {@link
/// io.holdfast.jmh.LogFigures} and {@link io.holdfast.jmh.Chart}; {@link io.holdfast.jmh.LogTable},
/// {@link io.holdfast.jmh.MapTable} and {@link io.holdfast.jmh.MapSpace} count instead. Peers are
/// in a source set of their own, `src/peers`, which the Maven profile `peers` adds.
package io.holdfast.jmh;
