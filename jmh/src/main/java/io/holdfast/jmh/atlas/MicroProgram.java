package io.holdfast.jmh.atlas;

import java.util.function.Function;

/// The micro-benchmarks and transactions of the thesis (Joshi: "Architectural Support for
/// Persistent Memory Systems", 2018, Tables 3.2, 4.2 and 5.4), in the order of the last.
public enum MicroProgram {
  TPCC("TPC-C", 590, TpccNewOrder::new),
  TPCC_TABLES("TPC-C in tables", 590, TpccTables::new),
  TATP("TATP", 167, TatpUpdateLocation::new),
  QUEUE("Queue", 52, EntryQueue::new),
  HASH("Hash", 58, HashTable::new),
  SDG("SDG", 56, Graph::new),
  SPS("SPS", 63, ArraySwaps::new),
  BTREE("BTree", 61, BTree::new),
  RBTREE("RBTree", 53, RedBlackTree::new);

  /// What the thesis calls it.
  public final String title;

  /// Lines that a transaction stores there (Table 5.4).
  public final int linesInThesis;

  private final Function<ProgramMemory, OneLock> maker;

  MicroProgram(String title, int linesInThesis, Function<ProgramMemory, OneLock> maker) {
    this.title = title;
    this.linesInThesis = linesInThesis;
    this.maker = maker;
  }

  /// The program over a memory.
  public Program over(ProgramMemory memory) {
    OneLock program = maker.apply(memory);
    program.resume();
    return program;
  }
}
