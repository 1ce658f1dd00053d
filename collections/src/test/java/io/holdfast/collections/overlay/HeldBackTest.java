package io.holdfast.collections.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.region.Region;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.testkit.RecordingMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a section or transaction over several collections gives back.
class HeldBackTest {
  private final List<Integer> letGo = new ArrayList<>();

  private static final class Held extends HeldBack {
    @Override
    public void store() {}

    @Override
    public void storeOpenly() {}
  }

  /// Of a collection whose locks are given up, or of which that fails.
  private class Overlay extends CollectionOverlay {
    private final int number;
    private final boolean fails;

    Overlay(Sections sections, int number, boolean fails) {
      super(sections);
      this.number = number;
      this.fails = fails;
    }

    @Override
    protected long lockOrder() {
      return number;
    }

    @Override
    protected void letGo() {
      letGo.add(number);
      if (fails) {
        throw new OutOfMemoryError("collection " + number);
      }
    }

    @Override
    protected void hold() {}

    @Override
    protected void giveWay() {}

    @Override
    protected void store(boolean isAll) {}

    @Override
    protected void stored() {}

    @Override
    protected void forget() {}

    @Override
    protected void storeOpenly() {}

    @Override
    protected boolean isChanging() {
      return true;
    }
  }

  @Test
  void whatFailsInOneCollectionKeepsNoLocksOfTheNext() {
    Held held = new Held();
    try (Region region = Region.open(new RecordingMemory(), 1 << 20);
        Region other = Region.open(new RecordingMemory(), 1 << 20)) {
      for (int number = 0; number < 5; number++) {
        boolean fails = number == 1 || number == 3;
        Overlay overlay = new Overlay((fails ? region : other).sections(), number, fails);
        held.of(new Object(), () -> overlay);
      }
      held.letGo();
      assertThat(letGo).containsExactly(0, 1, 2, 3, 4);
      assertThatThrownBy(region.sections()::checkUsable)
          .as("what keeps a lock takes no more changes (LOCK-4)")
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
      other.sections().checkUsable();
    }
  }

  /// The body may catch the error, and would go on with what nobody has locked.
  @Test
  void whatCanNotBeLockedEndsTheRun() {
    try (Region region = Region.open(new RecordingMemory(), 1 << 20)) {
      TransactionOverlay transaction = new TransactionOverlay(null, false, false);
      transaction.lockAll();
      Overlay overlay =
          new Overlay(region.sections(), 1, false) {
            @Override
            protected void holdAll() {
              throw new OutOfMemoryError();
            }
          };
      Object collection = new Object();
      assertThatThrownBy(() -> transaction.of(collection, () -> overlay))
          .isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(transaction::beGoingOn).isInstanceOf(TransactionOverlay.Abort.class);
    }
  }

  /// HELD-4: a thread that has given way waits twice as long the next time, up to a second.
  @Test
  void held4ItsPatienceDoubles() throws InterruptedException {
    Held held = new Held();
    List<Long> patience = new ArrayList<>();
    List<SectionLock> kept = new ArrayList<>();
    try (Region region = Region.open(new RecordingMemory(), 1 << 20)) {
      SectionLock lock = new SectionLock(region.sections(), new Object());
      Runnable taking =
          () -> {
            patience.add(Duration.ofNanos(ThreadSections.current().patienceNanos).toMillis());
            lock.hold();
          };
      lock.hold();
      Thread waiting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (kept.size() < 8) {
                      kept.add(held.tryTo(taking, true));
                    }
                  });
      waiting.join();
      lock.unlock();
      assertThat(kept).containsOnly(lock);
      assertThat(patience).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L);
    }
  }
}
