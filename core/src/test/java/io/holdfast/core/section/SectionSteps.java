package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashExplorer.Action;
import io.holdfast.testkit.CrashPoint;
import java.util.List;

/// What the threads do in crash tests of sections, and what is looked at afterwards: words that are
/// 0 until a section stores 1.
final class SectionSteps {
  private static final int WORDS = 8;

  /// Locks that don't share a stripe.
  static List<Object> locks(int count) {
    return Stripes.distinct(count, Object::new, List::of);
  }

  /// A region with eight words, and bounds for some steps of several threads.
  static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, WORDS))
        .withoutModel()
        .bounds(new Bounds(8, 12, 12, 100))
        .state(region -> Words.read(region, 0, WORDS));
  }

  static void lock(Object lock) {
    SectionHooks.acquired(lock);
  }

  static void unlock(Object lock) {
    SectionHooks.releasing(lock);
  }

  /// Takes a lock, stores words, gives the lock up.
  static Action<Region> section(Object lock, int... words) {
    return region -> {
      lock(lock);
      store(region, words);
      unlock(lock);
    };
  }

  /// Takes two locks, stores words, gives up the inner one.
  static Action<Region> openRelease(Object outer, Object inner, int... words) {
    return region -> {
      lock(outer);
      section(inner, words).run(region);
    };
  }

  /// Stores words, gives up the lock that is left.
  static Action<Region> end(Object outer, int... words) {
    return region -> {
      store(region, words);
      unlock(outer);
    };
  }

  private static void store(Region region, int... words) {
    for (int word : words) {
      Words.write(region, word, 1);
    }
  }

  static void assertImplies(Region region, int durable, int alsoDurable) {
    if (Words.read(region, durable) != 0) {
      assertThat(Words.read(region, alsoDurable))
          .as("word %d, without which word %d must not be", alsoDurable, durable)
          .isNotZero();
    }
  }

  static void assertAllAtEnd(Region region, CrashPoint point, int steps, Long... words) {
    if (point.acknowledged() == steps) {
      assertThat(Words.read(region, 0, words.length)).containsExactly(words);
    }
  }

  private SectionSteps() {}
}
