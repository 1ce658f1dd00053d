package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Shows TPCC-3, TPCC-4, TPCC-5, TPCC-6.
class TpccTablesTest extends OneLockContract<TpccTables> {
  /// Smaller, so that every crash can be tried.
  static TpccTables small(ProgramMemory memory) {
    return new TpccTables(memory, new TpccTables.Scale(1, 1, 2, 1, 2, 64));
  }

  @Override
  TpccTables over(ProgramMemory memory) {
    return small(memory);
  }

  /// An order, its delivery, and another order.
  @Override
  List<Consumer<TpccTables>> operations() {
    return List.of(
        program -> program.operate(3),
        program -> program.section(TpccTables.DELIVER, 1),
        program -> program.operate(-5));
  }

  @Test
  void whatIsDeliveredIsPaid() {
    try (TpccTables program = new TpccTables(memory(ProgramMode.NONE))) {
      List<Long> empty = program.content();
      int blocks = program.blocks();
      program.run(0, 300);
      assertThat(program.content()).hasSizeGreaterThan(empty.size() + 300 * 6 * 4);
      program.clear();
      assertThat(program.content()).hasSameSizeAs(empty).isNotEqualTo(empty);
      assertThat(program.blocks()).isEqualTo(blocks);
    }
  }
}
