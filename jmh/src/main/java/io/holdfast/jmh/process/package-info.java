/// The processes and files that benchmarks start and use.
package io.holdfast.jmh.process;
