/// Benchmarks of the word STM: the CSO paper's Figure 5.
package io.holdfast.jmh.bench.stm;
