package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashExplorer.Action;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// The shape of the litmus tests: one thread hands over to another in the middle of its section,
/// and no crash leaves the other's work without its own.
final class Litmus {
  // Made once for all runs: their identities decide which stripes they use.
  static final WovenLoader LOADER = WovenLoader.real();
  static final Woven LOCKS = new Woven(LOADER, "com.acme.Locks");
  private static ReentrantLock outer = new ReentrantLock();
  private static final Lock OTHER = new ReentrantLock();

  static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, 4))
        .withoutModel()
        .bounds(new Bounds(8, 12, 12, 100))
        .state(region -> Words.read(region, 0, 4));
  }

  static Runnable storing(Region region, int... words) {
    return () -> {
      for (int word : words) {
        Words.write(region, word, Words.read(region, word) + 1);
      }
    };
  }

  /// A stores 0, lets B see it by some means while its section goes on, and stores 2; B stores 1.
  static void ordered(CrashExplorer<Region> explorer, Action<Region> tell, Action<Region> learn) {
    ordered(explorer, tell, learn, 6);
  }

  /// @param steps after the last of them all is durable
  static void ordered(
      CrashExplorer<Region> explorer, Action<Region> tell, Action<Region> learn, int steps) {
    prepared(explorer)
        .step("A", "A takes a lock", _ -> LOCKS.call("take", outer()))
        .step("A", "A stores 0", region -> storing(region, 0).run())
        .step("A", "A tells", tell)
        .step("B", "B learns", learn)
        .step("B", "B stores 1", region -> LOCKS.call("block", OTHER, storing(region, 1)))
        .step(
            "A",
            "A stores 2, ends",
            region -> {
              storing(region, 2).run();
              LOCKS.call("give", outer);
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0)).as("A's").isEqualTo(Words.read(region, 2));
              assertThat(Words.read(region, 1))
                  .as("B only with A")
                  .isLessThanOrEqualTo(Words.read(region, 0));
              if (point.acknowledged() == steps) {
                assertThat(Words.read(region, 1)).as("acknowledged").isPositive();
              }
            });
  }

  /// Another one when a test that failed, made shorter, has left it taken.
  private static Lock outer() {
    if (outer.isLocked()) {
      outer = new ReentrantLock();
    }
    return outer;
  }

  private Litmus() {}
}
