package io.holdfast.stress.redo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: a ticket, the record, with release, a fence, and then the store, plain (REDO-1).
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the store.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Seen, and in the streams.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Seen, and not in the streams.")
@State
public class SeenAfterItsRecord {
  private static final VarHandle RECORD = handle("record");
  private static final VarHandle STORED = handle("stored");

  private final AtomicInteger tickets = new AtomicInteger();

  @SuppressWarnings("unused") // by RECORD
  private int record;

  private int stored;

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(SeenAfterItsRecord.class, field, int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Actor
  public void storing() {
    tickets.getAndIncrement();
    RECORD.setRelease(this, 1);
    VarHandle.storeStoreFence();
    stored = 1;
  }

  @Actor
  public void other(II_Result result) {
    result.r1 = (int) STORED.getAcquire(this);
    result.r2 = (int) RECORD.getAcquire(this);
  }
}
