package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Walks the whole heap on media, while nobody changes it: for tests and the `verify` command.
public final class HeapValidator {
  private static final Consumer<RegionDamagedException> STRICT =
      fault -> {
        throw fault;
      };

  private final Memory memory;
  private final SpanTable spans;

  /// An allocated block.
  ///
  /// @param bytes what it can hold
  public record Block(long offset, long bytes) {}

  HeapValidator(Memory memory, SpanTable spans) {
    this.memory = memory;
    this.spans = spans;
  }

  /// Every allocated block, by offset.
  ///
  /// @throws RegionDamagedException naming the place, if the table or an allocation byte can't be
  ///   right: an unknown use or size class, a slab or large block over a used span or the region's
  ///   end (SPAN-1), an allocation byte without a block
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    new Walk((offset, bytes) -> blocks.add(new Block(offset, bytes)), STRICT).usage();
    return blocks;
  }

  /// Receives allocated blocks.
  public interface BlockVisitor {
    /// @param bytes what it can hold
    void visit(long offset, long bytes);
  }

  /// Visits every allocated block, by offset, in a memory of no size, and goes on after a fault of
  /// a span or an allocation byte; one in the table's words ends it.
  ///
  /// @return as {@link #usage}, without what is wrong
  public HeapUsage forEach(BlockVisitor visitor, Consumer<RegionDamagedException> faults) {
    return new Walk(visitor, faults).usage();
  }

  /// Visits every place in slabs that a block can have, used or not, whatever the allocation bytes
  /// say: for salvage. Ends at a word of the table that can't be right.
  public void forEachPlace(BlockVisitor visitor) {
    try {
      spans.forEach(
          (offset, word) -> {
            int number = SpanTable.sizeClassOf(word);
            if (SpanTable.useOf(word) == Use.SLAB && number < SizeClass.count()) {
              SizeClass sizeClass = SizeClass.of(number);
              long end = Math.min(spans.length(), offset + sizeClass.spans() * (long) SPAN_BYTES);
              for (int i = 0; i < sizeClass.blocks(); i++) {
                long block = sizeClass.blockOffset(offset, i);
                if (block + sizeClass.bytes() <= end) {
                  visitor.visit(block, sizeClass.bytes());
                }
              }
            }
          });
    } catch (RegionDamagedException e) {
      // Blocks after the damage are not visited; salvage has reported it.
    }
  }

  /// What an offset of the region is in.
  ///
  /// @param what `block`, whether it is allocated or not; `marks`, of a slab; `free`, `log` or
  ///   `table`; `damaged` if the span table does not tell
  /// @param offset where that begins; of marks, the block of the first mark in the offset's word
  public record Spot(String what, long offset) {}

  /// Finds what an offset is in, after the region's first span; for tools.
  public Spot spotOf(long offset) {
    long span = offset / SPAN_BYTES * SPAN_BYTES;
    if (!spans.isDataSpan(span)) {
      return new Spot("table", span);
    }
    long start = span;
    long word = wordOf(start);
    while (word == 0 && start > SPAN_BYTES && spans.isDataSpan(start - SPAN_BYTES)) {
      start -= SPAN_BYTES; // SPAN-1
      word = wordOf(start);
    }
    if (!SpanTable.statesUse(word)
        || SpanTable.useOf(word) == Use.SLAB && SpanTable.sizeClassOf(word) >= SizeClass.count()) {
      return new Spot("damaged", span);
    }
    Use use = SpanTable.useOf(word);
    if (use == Use.LOG_CHUNK || use == Use.LOG_GROUP) {
      return start == span ? new Spot("log", span) : new Spot("free", span);
    }
    long bytes = use == Use.FREE ? 0 : SpanTable.spansOf(word) * SPAN_BYTES;
    if (offset >= start + bytes) {
      return new Spot("free", span);
    }
    if (use == Use.LARGE) {
      return new Spot("block", start);
    }
    SizeClass sizeClass = SizeClass.of(SpanTable.sizeClassOf(word));
    long at = offset - start;
    if (at < sizeClass.allocationBytes()) {
      return new Spot("marks", sizeClass.blockOffset(start, (int) at & -8));
    }
    int index = (int) (at - sizeClass.allocationBytes()) / sizeClass.bytes();
    return new Spot("block", sizeClass.blockOffset(start, index));
  }

  private long wordOf(long span) {
    return memory.readPlain(SpanTable.wordOf(memory, span));
  }

  /// What the region's bytes are used for; checks the same.
  public HeapUsage usage() {
    return new Walk((offset, bytes) -> {}, STRICT).usage();
  }

  private final class Walk {
    private final BlockVisitor visitor;
    private final Consumer<RegionDamagedException> faults;

    /// Where the slab or block ends that was met last.
    private long end;

    private long blocks;
    private long liveBytes;
    private long slabBytes;
    private long usedSpans;

    Walk(BlockVisitor visitor, Consumer<RegionDamagedException> faults) {
      this.visitor = visitor;
      this.faults = faults;
    }

    HeapUsage usage() {
      try {
        spans.forEach(this::spanOrFault);
      } catch (RegionDamagedException e) { // of a word of the table
        faults.accept(e);
      }
      long free = (spans.dataSpans() - usedSpans) * SPAN_BYTES;
      return new HeapUsage(blocks, liveBytes, slabBytes, free, spans.length());
    }

    private void spanOrFault(long offset, long word) {
      try {
        span(offset, word);
      } catch (RegionDamagedException e) {
        faults.accept(e);
      }
    }

    private void span(long offset, long word) {
      if (offset < end) {
        throw damaged(offset, "a span inside of a slab or a large block", word);
      }
      try {
        Use use = SpanTable.useOf(word);
        SizeClass sizeClass = use == Use.SLAB ? SizeClass.of(SpanTable.sizeClassOf(word)) : null;
        long count = SpanTable.spansOf(word);
        boolean plausible =
            count > 0
                && count <= (spans.length() - offset) / SPAN_BYTES
                && (sizeClass == null || count == sizeClass.spans());
        if (!plausible) {
          throw damaged(offset, "the length of a %s".formatted(use), count);
        }
        end = offset + count * SPAN_BYTES;
        usedSpans += count;
        if (use == Use.SLAB) {
          slab(offset, sizeClass);
        } else if (use == Use.LARGE) {
          block(offset, end - offset);
        }
      } catch (IllegalStateException e) {
        throw damaged(offset, e.getMessage(), word);
      }
    }

    private void block(long offset, long bytes) {
      visitor.visit(offset, bytes);
      blocks++;
      liveBytes += bytes;
    }

    private void slab(long slab, SizeClass sizeClass) {
      byte[] marks = new byte[sizeClass.allocationBytes()];
      memory.readBytes(slab, marks, 0, marks.length);
      for (int index = 0; index < marks.length; index++) {
        if (marks[index] == 0) {
          continue;
        }
        if (marks[index] != 1 || index >= sizeClass.blocks()) {
          faults.accept(
              damaged(slab, "allocation byte %d of a slab".formatted(index), marks[index]));
          continue;
        }
        block(sizeClass.blockOffset(slab, index), sizeClass.bytes());
      }
      slabBytes += (long) sizeClass.spans() * SPAN_BYTES;
    }
  }

  private RegionDamagedException damaged(long offset, String what, long found) {
    return new RegionDamagedException(
        "%s: the heap is damaged: %s: found=0x%X, span at offset 0x%X. Restore the file from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
