package io.holdfast.recovery;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_LOG_GROUPS;
import static io.holdfast.core.memory.RegionLayout.ANCHOR_RECOVERY;
import static io.holdfast.core.memory.RegionLayout.ANCHOR_STRATEGY;
import static io.holdfast.core.memory.RegionLayout.ANCHOR_TABLES;
import static io.holdfast.core.memory.RegionLayout.FIRST_SLOTS;
import static io.holdfast.core.memory.RegionLayout.MIN_BYTES;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// Opens a damaged region in this process's memory, though opening refuses it: what it refuses is
/// replaced by what says nothing. For salvage, which tells the losses, and reads nothing by what
/// was put in place.
final class RepairedView {
  /// What a header begins with: the bytes `HOLDFAST`.
  private static final long MAGIC = 0x54534146_444C4F48L;

  private final Memory memory;
  private final BiConsumer<Long, String> losses;

  /// @param losses takes an offset and what is lost
  RepairedView(Memory memory, BiConsumer<Long, String> losses) {
    this.memory = memory;
    this.losses = losses;
  }

  /// @throws RegionDamagedException if there is no way
  Region open() {
    header();
    try {
      return Region.open(memory, 0);
    } catch (RegionDamagedException e) {
      losses.accept(
          FIRST_SLOTS,
          "the logs, so that sections that were open are not undone: what they stored may be there"
              + " in part: "
              + e.getMessage());
      withoutLogs();
    }
    try {
      return Region.open(memory, 0);
    } catch (RegionDamagedException e) {
      losses.accept(ANCHOR_TABLES, "where the allocator's tables are: " + e.getMessage());
      withoutTables();
    }
    return Region.open(memory, 0);
  }

  private void header() {
    boolean cut = memory.length() % SPAN_BYTES != 0 || memory.length() < MIN_BYTES;
    try {
      RegionHeader.read(memory);
    } catch (RegionDamagedException | RegionFormatException e) {
      if (e instanceof RegionFormatException refusal && hasMagic()) {
        throw refusal; // a newer version's, or of the other byte order
      }
      long expected = expectedLength();
      losses.accept(0L, e.getMessage());
      if (expected > memory.length()) {
        memory.grow(expected); // with zeros, which say nothing
      } else {
        if (cut) {
          memory.grow(Math.max(MIN_BYTES, (memory.length() / SPAN_BYTES + 1) * SPAN_BYTES));
        }
        RegionHeader.create(memory, UUID.randomUUID()).stateChanged(State.OPEN);
      }
    }
  }

  private boolean hasMagic() {
    return Stream.of(RegionLayout.HEADER_A, RegionLayout.HEADER_B)
        .filter(at -> at + RegionLayout.LINE_BYTES <= memory.length())
        .anyMatch(at -> memory.readPlain(at) == MAGIC);
  }

  /// The length that a valid copy says, 0 if there is none.
  private long expectedLength() {
    return RegionHeader.copies(memory).stream()
        .filter(copy -> copy.isValid() && copy.length() % SPAN_BYTES == 0)
        .mapToLong(RegionHeader.Copy::length)
        .filter(length -> length <= Math.max(memory.length(), MIN_BYTES) * 1_024)
        .max()
        .orElse(0);
  }

  private void withoutLogs() {
    memory.zeroPlain(FIRST_SLOTS, SPAN_BYTES - FIRST_SLOTS);
    memory.writePlain(ANCHOR_LOG_GROUPS, 0);
    memory.writePlain(ANCHOR_RECOVERY, 0);
    memory.writePlain(ANCHOR_STRATEGY, 0);
  }

  /// Anything that can be: tables of zones one after the other, over whatever is there.
  private void withoutTables() {
    long at = SPAN_BYTES;
    for (int zone = 1; zone < RegionLayout.ZONES_MAX; zone++) {
      memory.writePlain(ANCHOR_TABLES + (long) zone * WORD_BYTES, at);
      at += RegionLayout.tableBytesOf(zone);
    }
  }
}
