package io.holdfast.jmh.stm;

import io.holdfast.jmh.stamp.StampProgram;

/// The programs of the CSO paper's Figure 5.
public enum StmProgram {
  SSCA2("ssca2", 12, 8) {
    @Override
    long words(int threads, int size) {
      return WordSsca2.words(size);
    }

    @Override
    StampProgram over(WordStm stm, int threads, int size) {
      return new WordSsca2(stm, threads, size);
    }
  },
  VACATION("vacation", 100_000, 10_000) {
    @Override
    long words(int threads, int size) {
      return WordVacation.words(threads, size, rows(size));
    }

    @Override
    StampProgram over(WordStm stm, int threads, int size) {
      return new WordVacation(stm, threads, size, rows(size));
    }
  },
  INTRUDER("intruder", 20_000, 2_000) {
    @Override
    long words(int threads, int size) {
      return WordIntruder.words(threads, size);
    }

    @Override
    StampProgram over(WordStm stm, int threads, int size) {
      return new WordIntruder(stm, threads, size);
    }
  };

  /// As in STAMP (`-r16384`), but no more than transactions.
  private static final int ROWS_MAX = 16_384;

  public final String title;

  /// How large it is when it is measured: the graph's scale, transactions, or flows.
  public final int size;

  /// The same for a first look.
  public final int quickSize;

  StmProgram(String title, int size, int quickSize) {
    this.title = title;
    this.size = size;
    this.quickSize = quickSize;
  }

  private static int rows(int size) {
    return Math.min(ROWS_MAX, size);
  }

  /// Words of data.
  abstract long words(int threads, int size);

  /// Makes the program, and fills the memory.
  ///
  /// @param stm empty
  abstract StampProgram over(WordStm stm, int threads, int size);
}
