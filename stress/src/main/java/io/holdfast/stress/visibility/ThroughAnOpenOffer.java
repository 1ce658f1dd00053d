package io.holdfast.stress.visibility;

import io.holdfast.HappensBefore;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.publication.Mark;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A section that offers an element and goes on, and who takes it: the queue hands the dependency
/// on.
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the offer.")
@Outcome(
    id = "1, 1",
    expect = Expect.ACCEPTABLE,
    desc = "After it, and synced after the section's end.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Synced while the section was open.")
@State
public class ThroughAnOpenOffer {
  /// More than there are states at a time.
  private static final int QUEUES = 1_000;

  private static final AtomicInteger MADE = new AtomicInteger();

  private final PersistentQueue<Integer> queue =
      SectionStore.queue("offers-" + MADE.incrementAndGet() % QUEUES);
  private final Mark ended = new Mark();
  private final SectionStore.Place place = SectionStore.place();

  public ThroughAnOpenOffer() {
    queue.clear();
  }

  @Actor
  public void section() {
    SectionStore.atomically(
        () -> {
          queue.add(1);
          HappensBefore.releasing(ended); // it stores what it holds back
          place.putAgain(); // the section goes on for a while
          ended.set();
        });
  }

  @Actor
  public void other(II_Result result) {
    result.r1 = queue.poll() == null ? 0 : 1;
    SectionStore.sync();
    result.r2 = ended.get();
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    place.remove();
  }
}
