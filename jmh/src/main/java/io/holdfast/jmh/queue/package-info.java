/// Queues as benchmarks use them: ours, those of `java.util.concurrent`, and, with the profile
/// `peers`, Chronicle Queue, all behind {@link io.holdfast.jmh.queue.BenchmarkQueue}.
package io.holdfast.jmh.queue;
