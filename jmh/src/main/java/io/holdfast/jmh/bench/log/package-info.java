/// Benchmarks of logs: appending to one, and sections with each of them.
package io.holdfast.jmh.bench.log;
