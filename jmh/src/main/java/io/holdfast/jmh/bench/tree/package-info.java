/// Benchmarks of trees.
package io.holdfast.jmh.bench.tree;
