package io.holdfast.core.recovery;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.SpanTable;
import java.util.List;

/// Undo logs: stores are done in place, after an entry with what was there before, and undone by
/// recovery if their section is not durable (Atlas, section 4).
final class UndoStrategy implements Strategy {
  /// In a region: what there is in those that earlier versions made.
  static final long NUMBER = 0;

  private final Memory memory;
  private final SpanTable spans;

  UndoStrategy(Memory memory, SpanTable spans) {
    this.memory = memory;
    this.spans = spans;
  }

  @Override
  public RecoveryReport recover() {
    return new Recovery(memory, spans).run();
  }

  @Override
  public RecoveryPlan plan() {
    return RecoveryPlan.of(memory, spans);
  }

  @Override
  public SectionLogs logs() {
    new Recovery(memory, spans).checkAnchor(0);
    return new LogPool(memory, spans);
  }

  @Override
  public void close(Memory again) {
    List<Long> freed = LogPool.free(again, new SpanTable(again, RegionHeader.read(again)));
    freed.forEach(span -> spans.giveBack(span, 1)); // or the file would be as long as before
  }
}
