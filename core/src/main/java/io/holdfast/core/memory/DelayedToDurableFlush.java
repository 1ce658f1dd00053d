package io.holdfast.core.memory;

/// Remembers every line that a section stored to, and has them flushed when the section becomes
/// durable (Atlas, 5.2, "Delayed-g"). If that is not at its end, because it waits for others, the
/// lines are handed to the thread that makes it durable.
///
/// Atlas's recovery must not keep a section that has ended but is not known to be durable in this
/// mode, since its data may be missing. Here recovery is the same in all modes: it keeps a section
/// that *says* that it has ended, if all that it depends on do. So a section does not say so before
/// its data are durable:
///
/// | | the section's thread, at its end | the thread that makes it durable |
/// |---|---|---|
/// | other modes | data, then ENDED, each flushed and fenced | DURABLE |
/// | this one | the log alone, if it is not durable yet | data, then ENDED, then DURABLE |
///
/// **HOLD-1** What says that a section has ended is held back with its data, and stored when the
/// data are durable. Until then the section is an open one to recovery, and is undone; it is not
/// durable, so nobody was told otherwise (P6).
///
/// **HOLD-2** At a section's end its log is durable: a dependency may be its last entry, with no
/// data after it to wait for that, and whoever stores ENDED later knows nothing of it.
///
/// **HOLD-3** Lines that were handed over are flushed and fenced by the thread that took them,
/// because a fence waits for its own thread's flushes alone.
final class DelayedToDurableFlush extends DelayedToEndFlush {
  DelayedToDurableFlush(WriteBacks writeBacks) {
    super(writeBacks);
  }

  @Override
  EndMark end(OrderedMemory memory, long offset, long value) {
    // HOLD-2. Test: WaitingSectionsCrashTest.aDependencyIsDurableBeforeTheEndThatHasIt.
    memory.releaseFence();
    return new Held(memory, takeLines(), offset, value);
  }

  /// What one section holds back.
  private static final class Held extends EndMark {
    private final OrderedMemory memory;
    private final LineSet lines;
    private final long offset;
    private final long value;

    Held(OrderedMemory memory, LineSet lines, long offset, long value) {
      this.memory = memory;
      this.lines = lines;
      this.offset = offset;
      this.value = value;
    }

    @Override
    public void takeData() {
      memory.takeData(lines); // HOLD-3
    }

    @Override
    public void store() {
      if (memory.readPlain(offset) < value) {
        memory.writePlain(offset, value);
      }
    }
  }
}
