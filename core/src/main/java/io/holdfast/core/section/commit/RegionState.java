package io.holdfast.core.section.commit;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Whether anything in a region can still become durable, and if not, why.
///
/// Threads that wait for a section look here once a second.
///
/// Thread-safe.
public final class RegionState {
  private static final HoldfastException CLOSED = new StoreClosedException("closed");
  private static final VarHandle OVER = overHandle();

  private final Memory memory;
  private volatile boolean closed;

  /// Why nothing in the region becomes durable any more: what made it fail, or `CLOSED`. `null`
  /// while it is usable. One read on the path of every section.
  ///
  /// **LATCH-1** A catch block that has found something half done stores the cause here. A store to
  /// a field needs no memory and no frame, and the error may mean that there is neither. What else
  /// there is to do, the next reader does; threads that wait look once a second. Test:
  /// StackEndTest.
  public volatile Throwable over;

  public RegionState(Memory memory) {
    this.memory = memory;
  }

  private static VarHandle overHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(RegionState.class, "over", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  String name() {
    return memory.name();
  }

  public boolean isClosed() {
    return closed;
  }

  /// Whether it is closed or has failed, so that nothing in it will become durable any more.
  public boolean isOver() {
    return over != null;
  }

  @SuppressWarnings("ReferenceEquality") // CLOSED is one object
  public boolean hasFailed() {
    Throwable why = over;
    return why != null && why != CLOSED;
  }

  /// @throws HoldfastException if it is over
  public void check() {
    if (over != null) {
      throw refusal();
    }
  }

  /// What is thrown at users of a region that is over.
  public HoldfastException refusal() {
    Throwable failure = MemoryFault.is(over) ? memory.faulted((InternalError) over) : over;
    if (!closed && failure instanceof RegionAccessException) {
      return new RegionAccessException(failure.getMessage(), failure);
    }
    return closed
        ? new StoreClosedException(
            "%s: the store is closed. Open it again".formatted(memory.name()))
        : new HoldfastException(
            "%s: the store failed and takes no more changes: %s. Close it and open it again; opening recovers what was durable"
                .formatted(memory.name(), failure),
            failure);
  }

  /// Latches the region after a failure in a place that can't report it. What is not durable stays
  /// so.
  public void fail(Throwable cause) {
    if (!hasFailed()) {
      over = cause; // LATCH-1: before what may fail itself
    }
    if (cause.equals(over)) {
      if (MemoryFault.is(cause)) {
        over = memory.faulted((InternalError) cause);
      }
    }
  }

  /// The same by stores to fields alone.
  @SuppressWarnings("ReferenceEquality") // CLOSED is one object
  public void latch(Throwable cause) {
    over = over == null || over == CLOSED ? cause : over; // LATCH-1
  }

  /// Refuses new sections.
  public void close() {
    closed = true;
    OVER.compareAndSet(this, null, CLOSED); // else it has failed, and stays so
  }
}
