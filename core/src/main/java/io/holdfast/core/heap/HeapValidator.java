package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import java.util.ArrayList;
import java.util.List;

/// Walks the whole heap on media, while nobody changes it: for tests and the `verify` command.
public final class HeapValidator {
  private final Memory memory;
  private final SpanTable spans;
  private final List<Block> blocks = new ArrayList<>();
  private long end;

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
  /// @throws RegionDamagedException naming the place, if the table or a bitmap can't be right: an
  ///   unknown use or size class, a large block over a used span or the region's end (SPAN-1), a
  ///   bit without a block
  public List<Block> blocks() {
    spans.forEach(
        (offset, word) -> {
          if (offset < end) {
            throw damaged(offset, "a span inside of a large block", word);
          }
          try {
            switch (SpanTable.useOf(word)) {
              case SLAB -> slab(offset, SizeClass.of(SpanTable.sizeClassOf(word)));
              case LARGE -> large(offset, SpanTable.spansOf(word));
              default -> {
                // Holds no blocks.
              }
            }
          } catch (IllegalStateException e) {
            throw damaged(offset, e.getMessage(), word);
          }
        });
    return blocks;
  }

  private void large(long offset, long count) {
    long bytes = count * SPAN_BYTES;
    if (count <= 0 || count > Heap.MAX_BYTES / SPAN_BYTES || offset + bytes > memory.length()) {
      throw damaged(offset, "a large block's length", count);
    }
    blocks.add(new Block(offset, bytes));
    end = offset + bytes;
  }

  private void slab(long slab, SizeClass sizeClass) {
    for (int index = 0; index < sizeClass.bitmapWords() * 64; index++) {
      long word = memory.readPlain(SizeClass.bitmapWord(slab, index));
      if ((word & 1L << index) != 0) {
        if (index >= sizeClass.blocks()) {
          throw damaged(slab, "a slab's bitmap", word);
        }
        blocks.add(new Block(sizeClass.blockOffset(slab, index), sizeClass.bytes()));
      }
    }
  }

  private RegionDamagedException damaged(long offset, String what, long found) {
    return new RegionDamagedException(
        "%s: the heap is damaged: %s: found=0x%X, span at offset 0x%X. Restore the file from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
