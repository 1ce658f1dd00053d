package io.holdfast.hostile;

import io.holdfast.core.memory.RegionLayout;
import io.holdfast.hostile.BaseRegions.Base;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/// What is done to a region's bytes: first each of a list, then at random, by a seed.
///
/// Who damages a file on purpose repairs its checksums, so half of the damage does so too.
final class Mutations {
  /// A damaged file.
  record Mutant(String name, byte[] bytes) {}

  private interface Change {
    void to(ByteBuffer bytes);
  }

  private static final int PAGE = RegionLayout.PAGE_BYTES;
  private static final int LINE = RegionLayout.LINE_BYTES;
  private static final int WORD = RegionLayout.WORD_BYTES;
  private static final int HEADER_B = (int) RegionLayout.HEADER_B;
  private static final int SLOTS = (int) RegionLayout.FIRST_SLOTS;

  private final Base base;
  private final List<Base> others;
  private final int length;

  /// Words that are not zero, but for the headers.
  private final List<Integer> structures = new ArrayList<>();

  /// Those that could be offsets.
  private final List<Integer> pointers = new ArrayList<>();

  private final List<Supplier<Mutant>> listed = new ArrayList<>();

  Mutations(Base base, List<Base> others) {
    this.base = base;
    this.others = others;
    this.length = base.bytes().length;
    ByteBuffer bytes = wrap(base.bytes());
    for (int at = HEADER_B + LINE; at < length; at += WORD) {
      long word = bytes.getLong(at);
      if (word != 0) {
        structures.add(at);
        if (isOffset(word) || isOffset(word >>> 8)) {
          pointers.add(at);
        }
      }
    }
    list();
  }

  private boolean isOffset(long word) {
    return word >= RegionLayout.SPAN_BYTES && word < length && word % 16 == 0;
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// The listed ones, which do not depend on a seed.
  int listed() {
    return listed.size();
  }

  /// The n-th: one of the list, and after it one by seed n.
  Mutant get(int n) {
    return n < listed.size() ? listed.get(n).get() : random(n);
  }

  private void list() {
    for (int page = 0; page < length; page += PAGE) {
      int at = page;
      listed.add(() -> new Mutant("cut at " + at, Arrays.copyOf(base.bytes(), at)));
      listed.add(() -> new Mutant("cut behind " + at, Arrays.copyOf(base.bytes(), at + 1)));
    }
    for (int more : new int[] {1, 8, PAGE - 1, PAGE, 1 << 20}) {
      listed.add(() -> longer(more));
    }
    headers();
    for (int from = 0; from < 0x11000; from += PAGE) {
      int at = from;
      add("page zeroed " + at, bytes -> fill(bytes, at, PAGE, (byte) 0));
      add("page of ones " + at, bytes -> fill(bytes, at, PAGE, (byte) -1));
    }
    for (int i = 0; i < 48; i++) {
      long anchor = interesting(new Random(i), (int) RegionLayout.ANCHOR_ROOTS);
      for (int word = 0; word < 4; word++) {
        int at = (int) RegionLayout.ANCHOR_ROOTS + word * WORD;
        add("anchor %d=0x%X".formatted(word, anchor), bytes -> bytes.putLong(at, anchor));
      }
    }
    Set<Long> spans = new TreeSet<>();
    for (int at : pointers) {
      spans.add(at & -(long) RegionLayout.SPAN_BYTES);
      spans.add(wrap(base.bytes()).getLong(at) & -(long) RegionLayout.SPAN_BYTES);
    }
    for (int at : pointers) { // circles, and lists that share their parts
      if (wrap(base.bytes()).getLong(at) % RegionLayout.SPAN_BYTES == 0) {
        for (long span : spans) {
          add("span at 0x%X=0x%X".formatted(at, span), bytes -> bytes.putLong(at, span));
        }
      }
    }
    Random random = new Random(length);
    for (int i = 0; i < 200 && !pointers.isEmpty(); i++) {
      int at = pointers.get(random.nextInt(pointers.size()));
      long value = wrap(base.bytes()).getLong(pointers.get(random.nextInt(pointers.size())));
      add("pointer at 0x%X=0x%X".formatted(at, value), bytes -> bytes.putLong(at, value));
    }
    for (int i = 0; i < Math.min(40, pointers.size()); i++) {
      int at = pointers.get(i * pointers.size() / Math.min(40, pointers.size()));
      long old = wrap(base.bytes()).getLong(at);
      long[] values = {
        at & -16L,
        at & -64L,
        at & -RegionLayout.SPAN_BYTES,
        old + 16,
        old - 16,
        old + 8,
        old + 1,
        length - 16,
        length - 64,
        length,
        0x10000,
        0x2000,
        0x3000,
        16,
        -16,
        old << 8,
        at << 8 | 1
      };
      for (long value : values) {
        add("pointer at 0x%X=0x%X".formatted(at, value), bytes -> bytes.putLong(at, value));
      }
    }
  }

  /// Headers whose checksums are right.
  private void headers() {
    long[] wild = {
      0,
      1,
      -1,
      64,
      4096,
      0x40000,
      0x3FFFF,
      1L << 20,
      1L << 40,
      1L << 62,
      Long.MIN_VALUE,
      Long.MAX_VALUE
    };
    for (int word = 0; word < 7; word++) {
      for (long value : wild) {
        int at = word * WORD;
        String name = "header word %d=0x%X".formatted(word, value);
        add(name + " in A", bytes -> seal(bytes.putLong(at, value), 0));
        add(name + " in B", bytes -> seal(bytes.putLong(HEADER_B + at, value), HEADER_B));
        add(
            name,
            bytes -> {
              seal(bytes.putLong(at, value), 0);
              seal(bytes.putLong(HEADER_B + at, value), HEADER_B);
            });
      }
    }
    add("newer", bytes -> both(bytes, 8, 0x0102030400000002L));
    add("older", bytes -> both(bytes, 8, 0x0102030400000000L));
    add("big endian", bytes -> both(bytes, 8, Long.reverseBytes(0x0102030400000001L)));
    add(
        "all big endian",
        bytes -> {
          for (int at = 0; at < length; at += WORD) {
            bytes.putLong(at, Long.reverseBytes(bytes.getLong(at)));
          }
        });
    add("state open", Mutations::open);
    add("copy A gone", bytes -> fill(bytes, 0, LINE, (byte) 0));
    add("copy B gone", bytes -> fill(bytes, HEADER_B, LINE, (byte) 0));
    add("page A gone", bytes -> fill(bytes, 0, PAGE, (byte) 0));
    for (Base other : others) {
      add("copy B of " + other, bytes -> bytes.put(HEADER_B, other.bytes(), HEADER_B, LINE));
    }
  }

  private static void both(ByteBuffer bytes, int at, long value) {
    bytes.putLong(at, value).putLong(HEADER_B + at, value);
    seal(bytes, 0);
    seal(bytes, HEADER_B);
  }

  private static void open(ByteBuffer bytes) {
    for (int copy : new int[] {0, HEADER_B}) {
      long state = bytes.getLong(copy + 6 * WORD);
      bytes.putLong(copy + 6 * WORD, (state >>> 8) + 2 << 8);
      seal(bytes, copy);
    }
  }

  private static void seal(ByteBuffer bytes, int copy) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), copy, 7 * WORD);
    bytes.putLong(copy + 7 * WORD, 0xC5C32C00_00000000L | crc.getValue());
  }

  /// Repairs the checksums of roots, as far as their texts can be told.
  private static void sealRoots(ByteBuffer bytes) {
    for (long anchor : new long[] {RegionLayout.ANCHOR_ROOTS, RegionLayout.ANCHOR_DELETED}) {
      long root = bytes.getLong((int) anchor);
      for (int i = 0; i < 20 && root > 0 && root < bytes.capacity() - 40; i++) {
        int at = (int) root;
        long lengths = bytes.getLong(at + 24);
        long texts =
            (lengths & 0x1FFFFF) + (lengths >>> 21 & 0x1FFFFF) + (lengths >>> 42 & 0x1FFFFF);
        if (at + 40 + texts <= bytes.capacity()) {
          CRC32C crc = new CRC32C();
          crc.update(bytes.array(), at + 8, 24);
          crc.update(bytes.array(), at + 40, (int) texts);
          bytes.putLong(at + 32, 0xC5C32C00_00000000L | crc.getValue());
        }
        root = bytes.getLong(at);
      }
    }
  }

  private static void fill(ByteBuffer bytes, int at, int count, byte value) {
    Arrays.fill(bytes.array(), at, Math.min(at + count, bytes.capacity()), value);
  }

  private Mutant longer(int more) {
    byte[] longer = Arrays.copyOf(base.bytes(), length + more);
    Arrays.fill(longer, length, longer.length, (byte) 0xA5);
    return new Mutant("longer by " + more, longer);
  }

  private void add(String name, Change change) {
    listed.add(
        () -> {
          byte[] bytes = base.bytes().clone();
          change.to(wrap(bytes));
          return new Mutant(name, bytes);
        });
  }

  private Mutant random(int seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    byte[] bytes = base.bytes().clone();
    ByteBuffer words = wrap(bytes);
    StringBuilder name = new StringBuilder();
    int changes = 1 + (random.nextInt(3) == 0 ? random.nextInt(8) : 0);
    for (int i = 0; i < changes; i++) {
      name.append(change(words, random)).append("; ");
    }
    if (random.nextInt(4) == 0) {
      open(words);
      name.append("open; ");
    } else if (random.nextBoolean()) {
      seal(words, 0);
      seal(words, HEADER_B);
    }
    if (random.nextBoolean()) {
      sealRoots(words);
    }
    if (random.nextInt(25) == 0) {
      int cut = random.nextInt(length);
      name.append("cut at ").append(cut);
      bytes = Arrays.copyOf(bytes, cut);
    }
    return new Mutant(name.toString(), bytes);
  }

  private String change(ByteBuffer bytes, Random random) {
    int at = place(random);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        int bit = random.nextInt(Long.SIZE);
        bytes.putLong(at, bytes.getLong(at) ^ 1L << bit);
        return "bit %d at 0x%X".formatted(bit, at);
      }
      case 3, 4, 5 -> {
        long value = interesting(random, at);
        bytes.putLong(at, value);
        return "word at 0x%X=0x%X".formatted(at, value);
      }
      case 6 -> {
        int any = random.nextInt(length);
        bytes.put(any, (byte) (bytes.get(any) ^ 1 << random.nextInt(8)));
        return "byte at 0x%X".formatted(any);
      }
      case 7 -> {
        int unit = unit(random);
        int count = unit * (1 + random.nextInt(4));
        byte value = (byte) (random.nextInt(3) - 1);
        fill(bytes, at / unit * unit, count, value);
        return "%d bytes of %d at 0x%X".formatted(count, value, at / unit * unit);
      }
      case 8 -> {
        int unit = unit(random);
        int from = at / unit * unit;
        int to = place(random) / unit * unit;
        byte[] a = Arrays.copyOfRange(bytes.array(), from, from + unit);
        byte[] b = Arrays.copyOfRange(bytes.array(), to, to + unit);
        bytes.put(to, a);
        if (random.nextBoolean()) {
          bytes.put(from, b);
        }
        return "%d bytes from 0x%X to 0x%X".formatted(unit, from, to);
      }
      case 9 -> {
        Base other = others.get(random.nextInt(others.size()));
        int page = at / PAGE * PAGE;
        if (page + PAGE <= other.bytes().length) {
          bytes.put(page, other.bytes(), page, PAGE);
        }
        return "page 0x%X of %s".formatted(page, other);
      }
      default -> {
        return logEntry(bytes, random);
      }
    }
  }

  private static int unit(Random random) {
    return new int[] {16, LINE, 2048, PAGE}[random.nextInt(4)];
  }

  /// Where structures are, headers and logs included.
  private int place(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(8) * WORD + (random.nextBoolean() ? HEADER_B : 0);
      case 1 -> (int) RegionLayout.ANCHOR_ROOTS + random.nextInt(4) * WORD;
      case 2 -> SLOTS + random.nextInt(4) * 2048 + random.nextInt(256) * WORD;
      case 3, 4 -> pointers.isEmpty() ? SLOTS : pointers.get(random.nextInt(pointers.size()));
      default -> structures.isEmpty() ? 0x10000 : structures.get(random.nextInt(structures.size()));
    };
  }

  private long interesting(Random random, int at) {
    long any =
        pointers.isEmpty()
            ? 0x20000
            : wrap(base.bytes()).getLong(pointers.get(random.nextInt(pointers.size())));
    return switch (random.nextInt(16)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Long.MIN_VALUE >> random.nextInt(16);
      case 3 -> Long.MAX_VALUE >>> random.nextInt(32);
      case 4 -> random.nextInt(300);
      case 5 -> length - 8L * random.nextInt(40);
      case 6 ->
          random.nextInt(length / RegionLayout.SPAN_BYTES + 1) * (long) RegionLayout.SPAN_BYTES;
      case 7 -> at & -(1L << random.nextInt(4, 17));
      case 8 -> any + 8L * (random.nextInt(16) - 8);
      case 9 -> random.nextLong() >>> random.nextInt(64);
      case 10 -> wrap(base.bytes()).getLong(at) + random.nextInt(5) - 2;
      case 11 -> random.nextInt(length) & -16L;
      case 12 -> (random.nextInt(length) & -16L) << 8 | random.nextInt(128);
      default -> any;
    };
  }

  /// An entry where an undo log could have one, of a section that is not durable.
  private String logEntry(ByteBuffer bytes, Random random) {
    int slot = SLOTS + random.nextInt(3) * 2048;
    int index = random.nextInt(3);
    for (int i = 0; i <= index; i++) { // a gap would end the log
      int at = slot + LINE + i * 32;
      long number = bytes.getLong(slot) + 1;
      if (i == index || bytes.getLong(at + 24) >>> 8 < number) {
        bytes.putLong(at, interesting(random, at));
        bytes.putLong(at + 8, interesting(random, at));
        bytes.putLong(at + 16, random.nextInt(10));
        bytes.putLong(at + 24, number << 8 | random.nextInt(8));
      }
    }
    if (random.nextInt(3) == 0) {
      bytes.putLong(slot + 16, interesting(random, slot));
    }
    return "entries in slot at 0x%X".formatted(slot);
  }

  /// Files of other formats.
  static List<Mutant> foreign() {
    List<Mutant> files = new ArrayList<>();
    byte[][] beginnings = {
      {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0},
      {0x7f, 'E', 'L', 'F', 2, 1, 1, 0},
      "H:2,block:3,blockSize:1000,chunk:7,created:1,format:3\n".getBytes(StandardCharsets.US_ASCII),
      "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII),
      "Dear diary, today I did not open a region.\n".getBytes(StandardCharsets.US_ASCII),
      "PK\3\4".getBytes(StandardCharsets.ISO_8859_1),
      {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE},
      "HOLDFAS".getBytes(StandardCharsets.US_ASCII),
      "HOLDFASTER".getBytes(StandardCharsets.US_ASCII),
      "TSAFDLOH".getBytes(StandardCharsets.US_ASCII),
      {(byte) 0xFF}
    };
    Random random = new Random(1);
    for (int i = 0; i < beginnings.length; i++) {
      for (int length : new int[] {0, 1, 57, 4096, 70_000, 1 << 20, 1_500_000}) {
        byte[] bytes = new byte[beginnings[i].length + length];
        random.nextBytes(bytes);
        System.arraycopy(beginnings[i], 0, bytes, 0, beginnings[i].length);
        files.add(new Mutant("foreign %d, %d".formatted(i, length), bytes));
      }
    }
    for (int length : new int[] {(1 << 20) + 1, 2 << 20}) {
      files.add(new Mutant("zeros " + length, new byte[length]));
    }
    return files;
  }
}
