/// Benchmarks of the papers' programs, {@link io.holdfast.jmh.atlas}.
package io.holdfast.jmh.bench.program;
