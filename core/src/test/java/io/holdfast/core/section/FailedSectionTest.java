package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.Test;

/// What becomes of the logs of a region that fails while threads are in sections.
class FailedSectionTest {
  /// More than a ring and two chunks of a log hold.
  private static final int WORDS = 5_000;

  private final RecordingMemory memory = new RecordingMemory();

  private static void fill(Region region, long value) {
    for (int i = 0; i < WORDS; i++) {
      Words.write(region, i, value);
    }
  }

  private Region filled() {
    Region region = Words.open(memory);
    Words.create(region, WORDS);
    Words.atomically(() -> fill(region, 1));
    return region;
  }

  private void assertThatAllIsUndone() {
    try (Region again = Words.open(memory)) {
      assertThat(again.report().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(Words.read(again, 0, WORDS)).containsOnly(1L);
    }
  }

  private static void assertThatAllIsRefused(Region region) {
    assertThatThrownBy(() -> Words.atomically(() -> Words.write(region, 0, 3)))
        .isExactlyInstanceOf(HoldfastException.class)
        .hasMessageContainingAll(
            "recorded: the store failed and takes no more changes",
            "the cause",
            "Close it and open it again");
  }

  @Test
  void keep1AVirtualThreadsLogStays() {
    Region region = filled();
    try (Baton threads = Baton.ofVirtualThreads()) {
      threads.run(
          "failing",
          () -> {
            SectionHooks.enter();
            fill(region, 2);
          });
      region.sections().region().fail(new IllegalStateException("the cause"));
      threads.run("failing", SectionHooks::exit);
    }
    assertThatAllIsRefused(region);
    region.close();
    assertThatAllIsUndone();
  }

  @Test
  void keep1TheLogOfAThreadThatDiedStays() throws Exception {
    Region region = filled();
    Thread dying =
        Thread.ofPlatform()
            .start(
                () -> {
                  SectionHooks.enter();
                  fill(region, 2);
                  region.sections().region().fail(new IllegalStateException("the cause"));
                  SectionHooks.exit();
                });
    dying.join();
    assertThatNoLogIsToBeHad(region);
    region.close();
    assertThatAllIsUndone();
  }

  /// The section was not told: it is in the middle of what it does, and its thread is gone.
  private static void assertThatNoLogIsToBeHad(Region region) {
    for (int i = 0; i < 100; i++) {
      Section section = new Section(region.sections().region(), ThreadSections.current());
      assertThatThrownBy(() -> region.sections().region().leases.lease(section))
          .isInstanceOf(HoldfastException.class)
          .hasMessageContaining("the store failed");
    }
  }
}
