package io.holdfast.stress.publication;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: a version that is odd meanwhile (MAP-6).
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The former value.")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "The new one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Half of each.")
@State
public class ValueWithAVersion {
  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(ValueWithAVersion.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by VERSION
  private int version;

  private int left = 1;
  private int right = 1;

  @Actor
  public void writer() {
    VERSION.setVolatile(this, 1);
    VarHandle.fullFence();
    left = 2;
    right = 2;
    VERSION.setRelease(this, 2);
  }

  @Actor
  public void reader(II_Result result) {
    int before;
    do {
      before = (int) VERSION.getAcquire(this);
      result.r1 = left;
      result.r2 = right;
      VarHandle.acquireFence();
    } while ((before & 1) != 0 || (int) VERSION.getOpaque(this) != before);
  }
}
