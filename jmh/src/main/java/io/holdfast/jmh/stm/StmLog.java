package io.holdfast.jmh.stm;

import io.holdfast.jmh.log.Ecma182;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/// The logs that the CSO paper gave TinySTM (5.2), the baseline first.
public enum StmLog {
  TWO_ROUNDS("TwoRounds", Seal.TwoRounds::new),
  CSO_VB("CSO-VB", Seal.ValidityBit::new),
  CRC32C("CRC32C", () -> new Seal.Sum(new CRC32C())),
  CRC64("CRC64", () -> new Seal.Sum(new Ecma182()));

  /// As the paper calls it.
  public final String title;

  private final Supplier<Seal> seal;

  StmLog(String title, Supplier<Seal> seal) {
    this.title = title;
    this.seal = seal;
  }

  /// One for each thread.
  Seal seal() {
    return seal.get();
  }
}
