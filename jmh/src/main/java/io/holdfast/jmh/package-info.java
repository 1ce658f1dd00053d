/// Benchmarks. Each is an {@link io.holdfast.jmh.Experiment}: it states its question, and has a
/// floor to compare with, a plain copy, the `java.util` twin, or a peer.
///
/// {@link io.holdfast.jmh.Bench} runs the {@link io.holdfast.jmh.Suite}s of {@link
/// io.holdfast.jmh.Suites}: their {@link io.holdfast.jmh.Part}s by JMH, in rounds, and what JMH
/// can't measure as trials, in processes of their own ({@link io.holdfast.jmh.ReopenBenchmark},
/// {@link io.holdfast.jmh.LatencyBenchmark}, {@link io.holdfast.jmh.SpaceBenchmark}). What was
/// measured is in {@link io.holdfast.jmh.Results}, a file. {@link io.holdfast.jmh.Report} makes a
/// {@link io.holdfast.jmh.Page} of it, with {@link io.holdfast.jmh.Plot}s, and judges {@link
/// io.holdfast.jmh.Target}s; {@link io.holdfast.jmh.Comparison} compares two.
///
/// {@link io.holdfast.jmh.LogTable}, {@link io.holdfast.jmh.MapTable} and {@link
/// io.holdfast.jmh.MapSpace} count instead of measuring. Peers are in a source set of their own,
/// `src/peers`, which the Maven profile `peers` adds.
package io.holdfast.jmh;
