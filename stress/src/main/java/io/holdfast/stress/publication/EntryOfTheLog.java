package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The log itself: an entry of the undo log's shape, read by who looks at its meta word first, as a
/// backup or another process does. There are three words; each must be that of this entry.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the entry.")
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "After it, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Valid, and not whole.")
@State
public class EntryOfTheLog {
  private final LogPool.Place place = LogPool.place();

  @Actor
  public void appender() {
    place.append();
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = place.isValid() ? 1 : 0;
    result.r2 = result.r1 == 0 ? 0 : place.ownWords();
  }
}
