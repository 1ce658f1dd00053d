/// Benchmarks of maps. What JMH can't measure runs as trials, in processes of their own: {@link
/// io.holdfast.jmh.bench.map.ReopenBenchmark}, {@link io.holdfast.jmh.bench.map.LatencyBenchmark},
/// {@link io.holdfast.jmh.bench.map.SpaceBenchmark}.
package io.holdfast.jmh.bench.map;
