/// Benchmarks. Each is an {@link io.holdfast.jmh.suite.Experiment}: it states its question, and has
/// a floor to compare with, a plain copy, the `java.util` twin, or a peer.
///
/// Here are those of sections, heap, queue, tools and agent; those of logs, programs, maps and
/// trees have packages. What is called a table counts instead of measuring.
package io.holdfast.jmh.bench;
