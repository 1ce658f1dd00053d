package io.holdfast.core.heap;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// The blocks that the directory of roots ({@link RootDirectory}) is made of, one for each root:
///
/// | offset | content |
/// |---|---|
/// | 0 | next older root, 0 for none |
/// | 8 | the collection's own first block |
/// | 16 | creation time, milliseconds since 1970 |
/// | 24 | lengths in bytes of kind, name and fingerprint, 21 bits each, lowest first |
/// | 32 | high half: `0xC5C32C00`; low half: CRC32C of the three words before it and the texts |
/// | 40 | the three texts, UTF-8, one after the other |
///
/// Thread-safe.
final class RootBlocks {
  /// A name, kind or fingerprint is at most this long, in UTF-8 bytes. The three share a word: 3 ·
  /// 21 bits.
  static final int MAX_TEXT_BYTES = (1 << 21) - 1;

  static final int NEXT = 0, FIRST_BLOCK = 8, CREATED = 16, LENGTHS = 24, CHECKSUM = 32, TEXTS = 40;
  static final int LENGTH_BITS = 21;
  static final long CHECKSUM_MARK = 0xC5C32C00_00000000L;

  private final Memory memory;
  private final Heap heap;

  RootBlocks(Memory memory, Heap heap) {
    this.memory = memory;
    this.heap = heap;
  }

  /// @throws IllegalArgumentException if no root can have one of these texts (ROOT-6)
  byte[][] texts(String name, String kind, String fingerprint) {
    return new byte[][] {
      RootTexts.utf8(memory.name(), "kind", kind),
      RootTexts.utf8(memory.name(), "name", name),
      RootTexts.utf8(memory.name(), "fingerprint", fingerprint)
    };
  }

  static long bytes(byte[][] texts) {
    return TEXTS + texts[0].length + texts[1].length + (long) texts[2].length;
  }

  /// Writes a root into a block of this section's, which nobody knows yet.
  void write(long block, Root root, byte[][] texts, long next) {
    long lengths = 0;
    long at = block + TEXTS;
    for (int i = 0; i < texts.length; i++) {
      lengths |= (long) texts[i].length << (i * LENGTH_BITS);
      memory.writeBytesPlain(at, texts[i], 0, texts[i].length);
      at += texts[i].length;
    }
    memory.writePlain(block + NEXT, next);
    memory.writePlain(block + FIRST_BLOCK, root.firstBlock());
    memory.writePlain(block + CREATED, root.createdMillis());
    memory.writePlain(block + LENGTHS, lengths);
    memory.writePlain(
        block + CHECKSUM, checksum(root.firstBlock(), root.createdMillis(), lengths, texts));
  }

  private static long checksum(long firstBlock, long created, long lengths, byte[][] texts) {
    CRC32C crc = new CRC32C();
    ByteBuffer words = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    crc.update(words.putLong(firstBlock).putLong(created).putLong(lengths).flip());
    for (byte[] text : texts) {
      crc.update(text);
    }
    return CHECKSUM_MARK | crc.getValue();
  }

  /// ROOT-5. Test: HostileFilesTest.p8DamagedFiles.
  Root read(long block) {
    heap.checkBlock(block, bytes(block), "a root's text");
    Root root = content(block);
    heap.checkBlock(root.firstBlock(), 1, "the root " + root.name());
    return root;
  }

  /// How many bytes a root has, of three texts of 2 MiB at most.
  private long bytes(long block) {
    long lengths = memory.readPlain(block + LENGTHS);
    long bytes = TEXTS;
    for (int i = 0; i < 3; i++) {
      bytes += lengths >>> i * LENGTH_BITS & MAX_TEXT_BYTES;
    }
    return bytes;
  }

  private Root content(long block) {
    long lengths = memory.readPlain(block + LENGTHS);
    byte[][] texts = new byte[3][];
    long at = block + TEXTS;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new byte[(int) (lengths >>> i * LENGTH_BITS) & MAX_TEXT_BYTES];
      memory.readBytes(at, texts[i], 0, texts[i].length);
      at += texts[i].length;
    }
    long firstBlock = memory.readPlain(block + FIRST_BLOCK);
    long created = memory.readPlain(block + CREATED);
    long found = memory.readPlain(block + CHECKSUM);
    if (found != checksum(firstBlock, created, lengths, texts)) {
      throw damaged("a root's checksum is wrong: found=0x%016X".formatted(found), block);
    }
    return new Root(
        RootTexts.text(texts[1]),
        RootTexts.text(texts[0]),
        RootTexts.text(texts[2]),
        firstBlock,
        created);
  }

  /// Every root whose checksum is right, wherever it is and whether the lists lead to it or not,
  /// those that were replaced or deleted included: for salvage. Reads all of the region.
  List<Root> scan() {
    List<Root> roots = new ArrayList<>();
    byte[] bytes = new byte[RegionLayout.SPAN_BYTES];
    LongBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    for (long span = 0; span < memory.length(); span += bytes.length) {
      int count = (int) Math.min(bytes.length, memory.length() - span);
      memory.readBytes(span, bytes, 0, count);
      for (int i = 0; i < count / Long.BYTES; i++) {
        long block = span + (long) i * Long.BYTES - CHECKSUM;
        if (words.get(i) >>> 32 == CHECKSUM_MARK >>> 32
            && block > 0
            && block + TEXTS <= memory.length()
            && block + bytes(block) <= memory.length()) {
          try {
            roots.add(content(block));
          } catch (RegionDamagedException e) {
            // It only looked like one.
          }
        }
      }
    }
    return roots;
  }

  RegionDamagedException damaged(String what, long block) {
    return new RegionDamagedException(
        "%s: the region is damaged: %s, offset=0x%X. The file was not touched; restore it from a backup"
            .formatted(memory.name(), what, block));
  }
}
