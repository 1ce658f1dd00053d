package io.holdfast.core.memory;

import java.util.function.Function;

/// When the lines of data that undo entries protect are flushed in an {@link OrderedMemory} (Atlas,
/// 5.2 and 6): an internal of the memory, with the same guarantees whichever it is. In the order of
/// how long they wait.
public enum FlushMode {
  /// Each store's line at once, and again for the next store to it.
  EAGER(EagerFlush::new),

  /// A line when another one needs its place in a small table; the rest at the section's end.
  HYBRID(HybridFlush::new),

  /// All at the section's end, each line once (Atlas: Delayed-l).
  DELAYED_TO_END(DelayedToEndFlush::new),

  /// All when the section becomes durable, by the thread that finds it so: what waits for other
  /// sections has flushed nothing, and lines that several of them stored are flushed once (Atlas:
  /// Delayed-g).
  DELAYED_TO_DURABLE(DelayedToDurableFlush::new),

  /// As {@link #HYBRID}, of data that are stored when all entries before are durable. The default.
  POSTED(HybridFlush::new) {
    @Override
    public Memory over(Memory bytes) {
      return new PostedMemory(new OrderedMemory(bytes, this));
    }
  };

  private final Function<WriteBacks, DataFlush> maker;

  FlushMode(Function<WriteBacks, DataFlush> maker) {
    this.maker = maker;
  }

  /// Orders the stores to a memory in this mode.
  ///
  /// @param bytes a memory with a domain in which flush and fence mean something
  public Memory over(Memory bytes) {
    return new OrderedMemory(bytes, this);
  }

  /// The mode as one thread follows it.
  DataFlush flushOf(WriteBacks writeBacks) {
    return maker.apply(writeBacks);
  }
}
