package io.holdfast.core.explorer;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.PageCache;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.UUID;

/// A region of any length whose file has few blocks on the device: what is free is a hole.
public final class LongRegion {
  private LongRegion() {}

  /// Makes one with nothing in it.
  public static void create(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
    Memory memory = new MappedMemory(path, length, new PageCache());
    RegionHeader.create(memory, UUID.randomUUID());
    linkTables(memory);
    memory.close();
  }

  /// Span tables, which a region that grew has, one after the other: docs/format.md, "Spans".
  private static void linkTables(Memory memory) {
    long table = RegionLayout.SPAN_BYTES;
    long spans = RegionLayout.FIRST_ZONE_SPANS; // each zone has as many as there are before it
    for (int zone = 1; spans * RegionLayout.SPAN_BYTES < memory.length(); zone++) {
      memory.writePlain(RegionLayout.ANCHOR_TABLES + zone * 8L, table);
      table += Math.ceilDiv(spans * 8, RegionLayout.SPAN_BYTES) * RegionLayout.SPAN_BYTES;
      spans *= 2;
    }
  }
}
