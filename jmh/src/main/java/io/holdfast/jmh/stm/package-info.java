/// A software transactional memory of words on persistent memory: TinySTM with the logs of the CSO
/// paper (5.2, Figure 5), to be measured, not to be used.
///
/// {@link io.holdfast.jmh.stm.WordStm} is what threads share, {@link
/// io.holdfast.jmh.stm.WordTransaction} what each has of its own; its write set is its log ({@link
/// io.holdfast.jmh.stm.WriteSet}). {@link io.holdfast.jmh.stm.StmLog} says which log of the paper
/// that is, and {@link io.holdfast.jmh.stm.Seal} does it.
///
/// {@link io.holdfast.jmh.stm.StmProgram} makes the programs of STAMP over it, {@link
/// io.holdfast.jmh.stm.StmRun} runs one.
package io.holdfast.jmh.stm;
