package io.holdfast.jmh.atlas;

/// Shows TPCC-1, TPCC-2.
class TpccNewOrderTest extends OneLockContract<TpccNewOrder> {
  /// Smaller, so that every crash can be tried.
  @Override
  TpccNewOrder over(ProgramMemory memory) {
    return new TpccNewOrder(memory, 1, 2);
  }
}
