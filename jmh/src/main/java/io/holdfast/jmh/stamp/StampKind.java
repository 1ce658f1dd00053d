package io.holdfast.jmh.stamp;

import io.holdfast.Holdfast;

/// The programs, as the report calls them.
public enum StampKind {
  VACATION("vacation", 100_000, 10_000) {
    @Override
    public StampProgram over(Holdfast store, int threads, int size) {
      return vacation(store, store::hashMap, threads, size);
    }
  },
  VACATION_TREES("vacation, tables that are trees", 100_000, 10_000) {
    @Override
    public StampProgram over(Holdfast store, int threads, int size) {
      return vacation(store, store::treeMap, threads, size);
    }
  },
  INTRUDER("intruder", 20_000, 2_000) {
    @Override
    public StampProgram over(Holdfast store, int threads, int size) {
      return new Intruder(store, threads, size);
    }
  },
  SSCA2("ssca2", 12, 8) {
    @Override
    public StampProgram over(Holdfast store, int threads, int size) {
      return new Ssca2(store, threads, size);
    }
  };

  /// Rows of a relation, as in STAMP (`-r16384`), but no more than transactions.
  private static final int ROWS_MAX = 16_384;

  public final String title;

  /// How large it is when it is measured: transactions, flows, or the graph's scale.
  public final int size;

  /// The same for a first look.
  public final int quickSize;

  StampKind(String title, int size, int quickSize) {
    this.title = title;
    this.size = size;
    this.quickSize = quickSize;
  }

  private static Vacation vacation(Holdfast store, Vacation.Tables tables, int threads, int size) {
    return new Vacation(store, tables, threads, size, Math.min(ROWS_MAX, size));
  }

  /// Makes the program, and fills the store.
  ///
  /// @param store empty
  public abstract StampProgram over(Holdfast store, int threads, int size);
}
