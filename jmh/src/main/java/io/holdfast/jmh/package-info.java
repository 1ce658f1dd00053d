/// Runs the benchmarks: {@link io.holdfast.jmh.Bench} runs the {@link io.holdfast.jmh.suite.Suite}s
/// of {@link io.holdfast.jmh.Suites}, {@link io.holdfast.jmh.Report} makes a page of what was
/// measured and judges the {@link io.holdfast.jmh.Targets}.
///
/// Peers are in a source set of their own, `src/peers`, which the Maven profile `peers` adds.
package io.holdfast.jmh;
