package io.holdfast.stress.publication;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: the words, plain, then the validity, with release (VB-1).
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the entry.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After its words.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Valid, and not whole.")
@State
public class ValidAfterItsWords {
  private static final VarHandle VALID;

  static {
    try {
      VALID = MethodHandles.lookup().findVarHandle(ValidAfterItsWords.class, "valid", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by VALID
  private int valid;

  private int left;
  private int right;

  @Actor
  public void appender() {
    left = 1;
    right = 1;
    VALID.setRelease(this, 1);
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = (int) VALID.getAcquire(this);
    result.r2 = result.r1 == 0 ? 0 : left + right;
  }
}
