package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// P8: what can't be opened is refused by a message that says why, and is not touched.
class RegionRefusalTest {
  /// Where the word is of the span at 0x30000, which a new region does not use.
  private static final int WORD_OF_A_SPAN = (int) RegionLayout.FIRST_TABLE + 3 * 8;

  @TempDir Path directory;

  private static void openAndClose(Path path) {
    try (RegionFile file = RegionFile.open(path)) {
      Region.open(file.memory(), RegionFile.INITIAL_BYTES).close();
    }
  }

  private Path region() {
    Path path = directory.resolve("shop.hf");
    openAndClose(path);
    return path;
  }

  private static void assertRefused(
      Path path, Class<? extends RuntimeException> type, String message) throws IOException {
    byte[] before = Files.readAllBytes(path);
    assertThatThrownBy(() -> openAndClose(path)).isExactlyInstanceOf(type).hasMessage(message);
    assertThat(Arrays.equals(Files.readAllBytes(path), before)).as("untouched").isTrue();
  }

  private static void change(Path path, int offset, long... words) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < words.length; i++) {
      buffer.putLong(offset + 8 * i, words[i]);
    }
    Files.write(path, bytes);
  }

  @Test
  void foreignFile() throws IOException {
    Path path = directory.resolve("notes.txt");
    Files.writeString(path, "Dear diary, today I did not open a region.");
    assertRefused(
        path,
        RegionFormatException.class,
        path.toRealPath()
            + ": not a Holdfast region: found=0x6169642072616544, expected=0x54534146444C4F48 at"
            + " offset 0x0. The file was not touched; open another path");
  }

  @Test
  void largeFileOfZeros() throws IOException {
    Path path = directory.resolve("zeros");
    Files.write(path, new byte[(int) RegionFile.INITIAL_BYTES + 1]);
    assertRefused(
        path,
        RegionFormatException.class,
        path.toRealPath()
            + ": not a Holdfast region: found=0x0000000000000000, expected=0x54534146444C4F48 at"
            + " offset 0x0. The file was not touched; open another path");
  }

  @Test
  void newerVersion() throws IOException {
    Path path = region();
    change(path, 8, 0x0102030400000003L);
    change(path, 0x1008, 0x0102030400000003L);
    assertRefused(
        path,
        RegionFormatException.class,
        path.toRealPath()
            + ": the region was written by a newer Holdfast: format=3, supported=2. The file was"
            + " not touched; use a newer version");
  }

  @Test
  void truncated() throws IOException {
    Path path = region();
    Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 300_000));
    assertRefused(
        path,
        RegionDamagedException.class,
        path.toRealPath()
            + ": the region was truncated: length=300000 bytes, expected=1048576 bytes. The file"
            + " was not touched; restore it from a backup");
    Files.write(path, Arrays.copyOf(Files.readAllBytes(path), 1_000));
    assertRefused(
        path,
        RegionDamagedException.class,
        path.toRealPath()
            + ": the region was truncated: length=1000 bytes, expected=at least 262144 bytes. The"
            + " file was not touched; restore it from a backup");
  }

  @Test
  void bothHeadersDamaged() throws IOException {
    Path path = region();
    change(path, 16, 1);
    change(path, 0x1010, 1);
    byte[] before = Files.readAllBytes(path);
    assertThatThrownBy(() -> openAndClose(path))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageMatching(
            "\\Q"
                + path.toRealPath()
                + ": both copies of the region's header are damaged:"
                + " checksum=0xC5C32C00\\E[0-9A-F]{8}, expected=0xC5C32C00[0-9A-F]{8} at offset"
                + " 0x0. The file was not touched; restore it from a backup");
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  /// A checksum, as the header has it over its words 0 to 6.
  private static void changeSealed(Path path, int copy, int word, long value) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(copy + 8 * word, value);
    CRC32C crc = new CRC32C();
    crc.update(bytes, copy, 56);
    buffer.putLong(copy + 56, 0xC5C32C00_00000000L | crc.getValue());
    Files.write(path, bytes);
  }

  /// HEADER-3, first half.
  @Test
  void headersThatContradictEachOther() throws IOException {
    Path path = region();
    changeSealed(path, 0x1000, 2, 77);
    byte[] before = Files.readAllBytes(path);
    assertThatThrownBy(() -> openAndClose(path))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageStartingWith(
            path.toRealPath() + ": the two copies of the region's header contradict each other: ")
        .hasMessageEndingWith(
            "at offsets 0x0 and 0x1000. The file was not touched; restore it from a backup");
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    Path other = directory.resolve("other.hf");
    openAndClose(other);
    changeSealed(other, 0x1000, 5, 0x80000); // a length, with the same sequence
    assertThatThrownBy(() -> openAndClose(other))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("contradict each other");
  }

  /// HEADER-3, second half.
  @Test
  void lengthsThatNoRegionHas() throws IOException {
    for (long length : new long[] {0, -65536, Long.MIN_VALUE, 0x30000, 0x40001, 0xFFFF8}) {
      Path path = directory.resolve("length" + length);
      openAndClose(path);
      changeSealed(path, 0, 5, length);
      changeSealed(path, 0x1000, 5, length);
      assertRefused(
          path,
          RegionDamagedException.class,
          "%s: the region's header says a length that none has: length=%d bytes, min=262144, in whole spans of 65536, at offset 0x28. The file was not touched; restore it from a backup"
              .formatted(path.toRealPath(), length));
    }
  }

  /// HEADER-3. The sequence that follows the highest would be 0, and the older copy would count.
  @Test
  void sequencesThatNoRegionHas() throws IOException {
    Path path = region();
    for (long sequence : new long[] {(1L << 55) - 10, (1L << 55) + 1, (1L << 56) - 1}) {
      changeSealed(path, 0, 6, sequence << 8 | 1); // closed
      changeSealed(path, 0x1000, 6, sequence << 8 | 1);
      if (sequence < 1L << 55) {
        openAndClose(path);
      } else {
        assertRefused(
            path,
            RegionDamagedException.class,
            "%s: the region's header has a sequence number that none has: sequence=0x%X, max=0x80000000000000, at offset 0x30. The file was not touched; restore it from a backup"
                .formatted(path.toRealPath(), sequence));
      }
    }
  }

  @Test
  void otherByteOrder() throws IOException {
    Path path = region();
    changeSealed(path, 0, 1, Long.reverseBytes(0x0102030400000001L));
    changeSealed(path, 0x1000, 1, Long.reverseBytes(0x0102030400000001L));
    assertRefused(
        path,
        RegionFormatException.class,
        path.toRealPath()
            + ": the region was written in the other byte order: mark=0x0100000004030201,"
            + " expected=0x0102030400000001 at offset 0x8. The file was not touched; open it where"
            + " it was written");
  }

  /// A flipped bit there would have the next recovery undo nothing.
  @Test
  void damagedAnchorOfRecovery() throws IOException {
    Path path = region();
    change(path, (int) RegionLayout.ANCHOR_RECOVERY, 1);
    assertRefused(
        path,
        RegionDamagedException.class,
        path.toRealPath()
            + ": the region is damaged: the recovery's anchor holds 0x1 at offset 0x2010. The file"
            + " was not touched; restore it from a backup");
    Path cut = cutOff();
    change(cut, (int) RegionLayout.ANCHOR_RECOVERY, 2);
    assertThatThrownBy(() -> openAndClose(cut))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("the recovery's anchor holds 0x2 at offset 0x2010");
  }

  /// STRATEGY-1, whether it was closed or not, and by a recovery that opens nothing.
  @Test
  void strategy1LogsOfAnUnknownKind() throws IOException {
    Path closed = region();
    Path cut = cutOff();
    for (Path path : new Path[] {closed, cut}) {
      change(path, (int) RegionLayout.ANCHOR_STRATEGY, 7);
      assertRefused(
          path,
          RegionDamagedException.class,
          path.toRealPath()
              + ": the region is damaged: the strategy's anchor holds 0x7 at offset 0x2020. The"
              + " file was not touched; restore it from a backup");
    }
    try (RegionFile file = RegionFile.open(cut)) {
      assertThatThrownBy(() -> Region.recoverAndClose(file.memory()))
          .isExactlyInstanceOf(RegionDamagedException.class)
          .hasMessageContaining("the strategy's anchor holds 0x7");
    }
  }

  /// A region whose process died without a section.
  private Path cutOff() {
    Path path = directory.resolve("cut.hf");
    try (RegionFile file = RegionFile.open(path)) {
      Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    } // not closed
    return path;
  }

  /// Lists of groups and chunks that lead elsewhere, in a circle, or to what is another's; in a
  /// region that was closed as in one that was not.
  ///
  /// Shows LOG-5.
  @Test
  void damagedListsOfLogs() throws IOException {
    int anchor = (int) RegionLayout.ANCHOR_LOG_GROUPS;
    int chunks = (int) RegionLayout.FIRST_SLOTS + 16;
    long[] wild = {8, 0x1000, 0x20001, 0x100000, -0x10000, Long.MAX_VALUE & -0x10000L};
    for (Path path : new Path[] {region(), cutOff()}) {
      for (long value : wild) {
        assertListRefused(path, anchor, value, "the list of log groups");
        assertListRefused(path, chunks, value, "chunks");
      }
      change(path, 0x30000, 0x30000); // a span that leads to itself
      assertListRefused(path, anchor, 0x30000, "the list of log groups");
      assertListRefused(path, chunks, 0x30000, "chunks");
      change(path, 0x30000, 0);
      change(path, WORD_OF_A_SPAN, 1); // a slab's
      assertListRefused(path, anchor, 0x30000, "the list of log groups");
      assertListRefused(path, chunks, 0x30000, "chunks");
      change(path, WORD_OF_A_SPAN, 0);
    }
    Path cut = cutOff(); // two slots that own the same chunk
    change(cut, chunks, 0x30000);
    change(cut, chunks + 2048, 0x30000);
    assertThatThrownBy(() -> openAndClose(cut))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("a log's list of chunks holds 0x30000 at offset 0x3810");
  }

  private static void assertListRefused(Path path, int at, long value, String what)
      throws IOException {
    change(path, at, value);
    byte[] before = Files.readAllBytes(path);
    assertThatThrownBy(() -> openAndClose(path))
        .as("0x%X", value)
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining(what)
        .hasMessageContaining(" holds 0x%X at offset 0x".formatted(value));
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    change(path, at, 0);
  }

  /// A log of a chunk whose link leads back to it, and entries that would be undone into logs.
  @Test
  void damagedLinksAndTargets() throws IOException {
    int slot = (int) RegionLayout.FIRST_SLOTS;
    Path path = cutOff();
    change(path, slot + 16, 0x30000);
    change(path, WORD_OF_A_SPAN, 3); // LOG_CHUNK
    change(path, slot + 64, 0x30000, 0, 0, 0x105);
    change(path, 0x30040, 0x30000, 0, 0, 0x105);
    assertRefused(
        path,
        RegionDamagedException.class,
        path.toRealPath()
            + ": the region is damaged: a link that leads back in its log holds 0x30000 at offset"
            + " 0x30040. The file was not touched; restore it from a backup");
    change(path, 0x30040, 0, 0, 0, 0);
    long[] targets = {
      0x30000, 0x3FFF8, RegionLayout.ANCHOR_LOG_GROUPS, RegionLayout.ANCHOR_RECOVERY
    };
    for (long target : targets) {
      change(path, 0x30040, target, 0, 0, 0x101);
      assertRefused(
          path,
          RegionDamagedException.class,
          path.toRealPath()
              + ": the region is damaged: an undo entry's target holds 0x%X at offset 0x30040. The file was not touched; restore it from a backup"
                  .formatted(target));
    }
    change(path, 0x30040, 0x2FFF8, 2, 0, 0x106); // a range into the chunk
    assertThatThrownBy(() -> openAndClose(path))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("an undo entry's target holds 0x2FFF8");
    change(path, 0x30040, 0x2018, 0, 0, 0x101);
    openAndClose(path);
  }

  /// Numbers that no slot comes to: the next one would not fit an entry.
  @Test
  void wildNumbersOfSections() throws IOException {
    int slot = (int) RegionLayout.FIRST_SLOTS;
    for (Path path : new Path[] {region(), cutOff()}) {
      for (int word : new int[] {0, 8}) {
        for (long number : new long[] {-1, (1L << 54) + 1, Long.MAX_VALUE}) {
          assertListRefused(path, slot + word, number, "a log's section number");
        }
      }
    }
    Path path = cutOff();
    change(path, slot + 64, 0x20000, 0, 0, (1L << 54) + 1 << 8 | 1);
    assertThatThrownBy(() -> openAndClose(path))
        .isExactlyInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("an undo entry's section number");
  }

  @Test
  void oneHeaderDamagedIsRepaired() throws IOException {
    Path path = region();
    for (int copy : new int[] {0, 0x1000, 0}) {
      change(path, copy, 0, 1, 2, 3, 4, 5, 6, 7);
      openAndClose(path);
    }
    byte[] bytes = Files.readAllBytes(path);
    assertThat(Arrays.copyOf(bytes, 64)).isEqualTo(Arrays.copyOfRange(bytes, 0x1000, 0x1040));
  }

  @Test
  void damagedLog() throws IOException {
    Path path = directory.resolve("cut.hf");
    try (RegionFile file = RegionFile.open(path)) {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      assertThat(region.report().outcome()).isEqualTo(Outcome.CREATED);
    } // not closed
    change(path, (int) RegionLayout.FIRST_SLOTS + 64, 0x1001, 0, 0, 0x101);
    assertRefused(
        path,
        RegionDamagedException.class,
        path.toRealPath()
            + ": the region is damaged: an undo entry's target holds 0x1001 at offset 0x3040. The"
            + " file was not touched; restore it from a backup");
    change(path, (int) RegionLayout.FIRST_SLOTS + 64, 0x2000, 0, 0, 0x1FF);
    assertThatThrownBy(() -> openAndClose(path)).isInstanceOf(RegionDamagedException.class);
  }

  @Test
  void damagedRangeInALog() throws IOException {
    Path path = directory.resolve("cut.hf");
    try (RegionFile file = RegionFile.open(path)) {
      Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    } // not closed
    int entry = (int) RegionLayout.FIRST_SLOTS + 64;
    // What its validity bits would be if it were whole: all clear, as they are in a log of zeros.
    for (long target : new long[] {0x1FF8, 0x2FF8, 0xFFF8, 0x20004, 0xFFFF8, 0x100000, -8}) {
      change(path, entry, target, 2, 0, 0x106);
      assertRefused(
          path,
          RegionDamagedException.class,
          path.toRealPath()
              + ": the region is damaged: an undo entry's target holds 0x%X at offset 0x3040. The file was not touched; restore it from a backup"
                  .formatted(target));
    }
    // None, and more than the rest of the slot holds, and than any does.
    for (int words : new int[] {0, 60 * 4 + 1, 0xFFFF}) {
      change(path, entry, 0x20000, words, 0, 0x106);
      assertRefused(
          path,
          RegionDamagedException.class,
          path.toRealPath()
              + ": the region is damaged: an undo entry's length holds 0x%X at offset 0x3040. The file was not touched; restore it from a backup"
                  .formatted(words));
    }
    change(path, entry, 0x1FF8, 2 | 4L << 16, 0, 0x106); // torn: the log ends before it
    openAndClose(path);
  }

  @Test
  void directoryAndMissingDirectory() {
    assertThatThrownBy(() -> openAndClose(directory))
        .isExactlyInstanceOf(RegionFormatException.class)
        .hasMessage(
            directory + ": not a file but a directory. Nothing was touched; open another path");
    Path missing = directory.resolve("no/such/shop.hf");
    assertThatThrownBy(() -> openAndClose(missing))
        .isExactlyInstanceOf(RegionAccessException.class)
        .hasMessage(
            missing
                + ": cannot open the file: NoSuchFileException: "
                + missing
                + ". Check the path, its permissions and the device");
  }

  @Test
  void openInThisProcess() throws IOException {
    Path path = region();
    Path link = Files.createSymbolicLink(directory.resolve("link.hf"), path);
    try (RegionFile first = RegionFile.open(path)) {
      for (Path again : new Path[] {path, link}) {
        assertThatThrownBy(() -> RegionFile.open(again))
            .isExactlyInstanceOf(RegionLockedException.class)
            .hasMessage(
                "%s: the region is already open in this process: pid=%d. Use the store that is open, or close it first"
                    .formatted(path.toRealPath(), ProcessHandle.current().pid()));
      }
      assertThat(first.memory().length()).isEqualTo(RegionFile.INITIAL_BYTES);
    }
    openAndClose(path);
  }

  /// Opens a region, stores in a section that does not end, says so, and waits to be killed.
  static final class Holder {
    public static void main(String[] arguments) throws Exception {
      RegionFile file = RegionFile.open(Path.of(arguments[0]));
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      Words.create(region, 2);
      Words.atomically(() -> Words.write(region, 0, 1));
      io.holdfast.core.section.hooks.SectionHooks.enter();
      Words.write(region, 1, 1);
      System.out.println("holding");
      Thread.sleep(600_000);
    }
  }

  @Test
  void openInAnotherProcessUntilItIsKilled() throws Exception {
    Path path = directory.resolve("held.hf");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      BufferedReader output = holder.inputReader(StandardCharsets.UTF_8);
      assertThat(output.readLine()).isEqualTo("holding");
      assertThatThrownBy(() -> RegionFile.open(path))
          .isExactlyInstanceOf(RegionLockedException.class)
          .hasMessageMatching(
              "\\Q%s: the region is open in another process: holder=[pid=%d, started=\\E[-0-9TZ:.]+\\]\\. Wait for it to end, or end it"
                  .formatted(path.toRealPath(), holder.pid()));
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.report().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(region.report().sectionsUndone()).isEqualTo(1);
      assertThat(region.report().entriesUndone()).isEqualTo(1);
      assertThat(Words.read(region, 0, 2)).containsExactly(1L, 0L);
    }
  }

  /// A slot that begins there would come to numbers that the next opening does not accept, or that
  /// an entry can't hold.
  @Test
  void numbersOfSectionsNearTheirEnd() throws IOException {
    Path path = region();
    byte[] sound = Files.readAllBytes(path);
    int slot = (int) RegionLayout.FIRST_SLOTS;
    for (int word : new int[] {0, 8}) { // DURABLE, ENDED
      for (long number : new long[] {(1L << 53) + 1, (1L << 54) - 1, 1L << 54, Long.MAX_VALUE}) {
        Files.write(path, sound);
        change(path, slot + word, number);
        assertRefused(
            path,
            RegionDamagedException.class,
            "%s: the region is damaged: a log's section number holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
                .formatted(path.toRealPath(), number, slot + word));
      }
    }
  }

  /// What the last number that is accepted leads to fits.
  @Test
  void theHighestNumberOfSectionsWorks() throws IOException {
    Path path = region();
    change(path, (int) RegionLayout.FIRST_SLOTS, 1L << 53);
    try (RegionFile file = RegionFile.open(path)) {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      SectionLock lock = new SectionLock(region.sections(), this);
      long block = region.heap().allocate(64);
      for (int i = 0; i < 3; i++) {
        Section section = lock.lock();
        section.write(block, i);
        section.write(block + 8, i);
        lock.endSection(section);
        lock.unlock();
      }
      assertThat(region.memory().readPlain(block)).isEqualTo(2);
      region.close();
    }
  }
}
