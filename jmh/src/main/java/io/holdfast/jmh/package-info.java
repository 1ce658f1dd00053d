/// Benchmarks. Each states its question and has a floor to compare with: a plain copy, the
/// `java.util` twin, or a peer.
package io.holdfast.jmh;
