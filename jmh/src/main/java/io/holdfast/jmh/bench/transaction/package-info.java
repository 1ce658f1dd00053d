/// Benchmarks of transactions, and of sections over jobs.
package io.holdfast.jmh.bench.transaction;
