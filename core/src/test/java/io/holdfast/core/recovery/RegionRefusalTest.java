package io.holdfast.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.explorer.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// P8: what can't be opened is refused by a message that says why, and is not touched.
class RegionRefusalTest {
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
    change(path, 8, 0x0102030400000002L);
    change(path, 0x1008, 0x0102030400000002L);
    assertRefused(
        path,
        RegionFormatException.class,
        path.toRealPath()
            + ": the region was written by a newer Holdfast: format=2, supported=1. The file was"
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
      io.holdfast.core.section.SectionHooks.enter();
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
}
