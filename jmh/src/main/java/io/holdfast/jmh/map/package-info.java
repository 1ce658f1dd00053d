/// Maps as benchmarks use them: ours, the one of `java.util.concurrent`, and, with the profile
/// `peers`, those of others, all behind {@link io.holdfast.jmh.map.BenchmarkMap}; and what they are
/// asked to do: {@link io.holdfast.jmh.map.Items}, {@link io.holdfast.jmh.map.ScrambledZipf}.
package io.holdfast.jmh.map;
