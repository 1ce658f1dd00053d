package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The heap itself, through the map: values in blocks of their own, which are freed, and used again
/// for another key's value, while somebody reads.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The key's value, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Another value, or a part of one.")
@State
public class BlockOfTheHeap {
  private static final int CHARS = 20_000;

  private final BlockPlaces.Place mine = BlockPlaces.place(CHARS);
  private final BlockPlaces.Place other = BlockPlaces.place(CHARS);

  public BlockOfTheHeap() {
    mine.put();
  }

  @Actor
  public void owner() {
    mine.remove();
    other.put();
  }

  @Actor
  public void reader(I_Result result) {
    result.r1 = mine.look();
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    other.remove();
  }
}
