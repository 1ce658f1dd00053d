package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// When sections that are executed again are refused, and what is left then. Shows CLOBBER-4 and
/// CLOBBER-5.
@ExtendWith(QuietRecoveries.class)
class ClobberMemoryTest {
  private static final int WORDS = 4;

  private final RecordingMemory bytes = new RecordingMemory();
  private final Object lock = new Object();
  private final Object other = new Object();
  private Region region;
  private ClobberMemory memory;
  private long root;

  @BeforeEach
  void open() {
    region = Words.open(bytes);
    memory = ClobberMemory.of(region);
    root = memory.root(WORDS * Long.BYTES);
  }

  /// As a crash: nothing is done that closing does.
  private void openAgain() {
    region.abandon();
    open();
  }

  private void section(String function, long argument, Runnable changes) {
    memory.acquired(lock);
    try {
      memory.starting(function, argument);
      changes.run();
    } finally {
      memory.releasing(lock);
    }
  }

  private long at(int word) {
    return root + (long) word * Long.BYTES;
  }

  /// The first word is overwritten unread, the second is an input.
  private void add(long amount) {
    memory.write(at(0), amount);
    memory.write(at(1), memory.read(at(1)) + amount);
  }

  private void add(String function, long amount) {
    assertThat(function).isEqualTo("add");
    section(function, amount, () -> add(amount));
  }

  private List<Long> words() {
    List<Long> words = new ArrayList<>();
    for (int i = 0; i < WORDS; i++) {
      words.add(memory.read(at(i)));
    }
    return words;
  }

  private void underOther(Runnable changes) {
    memory.acquired(other);
    try {
      changes.run();
    } finally {
      memory.releasing(other);
    }
  }

  @Test
  void whatWasNotReadHasNoEntry() {
    section(
        "count",
        0,
        () -> {
          memory.write(at(0), 1); // unread
          memory.write(at(0), memory.read(at(0)) + 1); // an own word is no input
          memory.write(at(1), memory.read(at(1)) + 1); // an input: one entry
          memory.write(at(1), memory.read(at(1)) + 1);
          bytes.damage(at(0), 4711);
          bytes.damage(at(1), 4711);
          region.abandon();
        });
    open();
    assertThat(words()).startsWith(4711L, 0L);
  }

  @Test
  void clobber4AnOpenReleaseIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                section(
                    "add",
                    5,
                    () -> {
                      add(5);
                      underOther(() -> memory.write(at(2), 9));
                    }))
        .withMessageContaining("a second lock would be released before the section ends");
    assertThatIllegalStateException()
        .as("after the refusal")
        .isThrownBy(() -> add("add", 1))
        .withMessageContaining("a second lock would be released before the section ends");
    openAgain();
    assertThat(words()).as("the input is restored").startsWith(5L, 0L, 0L);
    memory.resume(this::add); // which does without the second lock now
    assertThat(words()).startsWith(5L, 5L, 0L);
    add("add", 7);
    assertThat(words()).startsWith(7L, 12L, 0L);
  }

  @Test
  void anOpenReleaseBeforeTheFirstStoreIsRefusedAndLeavesNothing() {
    assertThatIllegalStateException()
        .isThrownBy(() -> section("add", 5, () -> underOther(() -> memory.write(at(2), 9))));
    add("add", 1);
    assertThat(words()).startsWith(1L, 1L, 0L);
  }

  @Test
  void theSameLockAgainIsNoOpenRelease() {
    section("nested", 5, () -> section("nested", 5, () -> add(5)));
    assertThat(words()).startsWith(5L, 5L);
  }

  @Test
  void clobber4NoSectionInsideOfAnother() {
    SectionHooks.acquired(other);
    try {
      assertThatIllegalStateException()
          .isThrownBy(() -> add("add", 5))
          .withMessageContaining("it would be part of another section or depend on one");
    } finally {
      SectionHooks.releasing(other);
    }
    add("add", 1);
    assertThat(words()).startsWith(1L, 1L);
  }

  @Test
  void oneSectionAtATime() {
    section(
        "add",
        5,
        () ->
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> add("add", 1)).join())
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another thread is in a section"));
  }

  @Test
  void aStoreOfNoFunctionIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> underOther(() -> memory.write(at(0), 1)))
        .withMessageContaining("a store belongs to no function");
    assertThat(words()).startsWith(0L);
  }

  private void interrupt() {
    section(
        "add",
        5,
        () -> {
          add(5);
          region.abandon();
        });
    open();
  }

  @Test
  void clobber5WhatWasInterruptedComesFirst() {
    interrupt();
    assertThatIllegalStateException()
        .isThrownBy(() -> add("add", 1))
        .withMessageContaining("a crash has interrupted \"add\" of 5");
    memory.resume(this::add);
    assertThat(words()).startsWith(5L, 5L);
    memory.resume(this::add); // there is none
    add("add", 1);
    assertThat(words()).startsWith(1L, 6L);
  }

  @Test
  void anotherFunctionThanWasInterruptedIsRefused() {
    interrupt();
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.resume((name, value) -> section(name, value, () -> {})))
        .withMessageContaining("\"add\" stored something before the crash, and nothing now");
    memory.resume(this::add);
    assertThat(words()).startsWith(5L, 5L);
  }

  @Test
  void aFunctionThatIsMissingIsNamed() {
    try (ArraySwaps swaps = new ArraySwaps(memory, 1)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> swaps.section("swapAll", 0))
          .withMessageContaining("ArraySwaps has no function \"swapAll\"");
    }
  }

  @Test
  void aSectionThatIsRolledBackIsExecutedAgainAfterOpening() {
    assertThatThrownBy(
            () ->
                section(
                    "add",
                    5,
                    () -> {
                      add(5);
                      throw region
                          .sections()
                          .current()
                          .undo(new RegionFullException("as a full device"));
                    }))
        .isInstanceOf(RegionFullException.class);
    assertThatIllegalStateException()
        .isThrownBy(() -> add("add", 1))
        .withMessageContaining("a section was rolled back, and not all that it stored");
    openAgain();
    memory.resume(this::add);
    assertThat(words()).startsWith(5L, 5L);
  }
}
