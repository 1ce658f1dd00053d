package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file that is looked at through copies.
final class OverlayMemoryTest {
  private static final int COPY = 1 << 16;

  @TempDir private Path directory;

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("file"), content);
  }

  /// OVERLAY-1.
  @Test
  void nothingReachesTheFile() throws IOException {
    byte[] content = new byte[5 * COPY];
    new SplittableRandom(1).nextBytes(content);
    Path file = file(content);
    assertThat(file.toFile().setWritable(false)).isTrue();
    OverlayMemory memory = OverlayMemory.of(file);

    memory.writePlain(8, 1);
    memory.writeRelease(COPY, 2);
    memory.writeLoggedByte(2 * COPY + 3, (byte) 3);
    memory.writeEntryRelease(3 * COPY, 1, 2, 3, 4);
    memory.writeBytesPlain(COPY - 3, new byte[] {1, 2, 3, 4, 5, 6}, 0, 6);
    memory.zeroPlain(4 * COPY, COPY);
    memory.grow(7 * COPY);
    memory.shrink(COPY);
    memory.giveBack();
    memory.close();

    assertThat(file).hasBinaryContent(content);
  }

  /// What is read is what a plain array would hold, after stores of all kinds in all places.
  @Test
  void itReadsWhatWasStoredAndElseWhatTheFileHas() throws IOException {
    byte[] expected = new byte[6 * COPY];
    SplittableRandom random = new SplittableRandom(2);
    random.nextBytes(expected);
    OverlayMemory memory = OverlayMemory.of(file(expected));
    for (int i = 0; i < 200; i++) {
      byte[] piece = new byte[random.nextInt(1, 2 * COPY)];
      random.nextBytes(piece);
      int at = random.nextInt(expected.length - piece.length);
      switch (random.nextInt(3)) {
        case 0 -> memory.writeBytesPlain(at, piece, 0, piece.length);
        case 1 -> {
          Arrays.fill(piece, (byte) 0);
          memory.zeroPlain(at, piece.length);
        }
        default -> {
          piece = new byte[] {piece[0]};
          memory.writeLoggedByte(at, piece[0]);
        }
      }
      System.arraycopy(piece, 0, expected, at, piece.length);
      if (i % 20 == 0) {
        assertSame(memory, expected);
      }
    }
    assertSame(memory, expected);
    memory.close();
  }

  @Test
  void whatIsGrownIsZero() throws IOException {
    byte[] content = new byte[2 * COPY];
    Arrays.fill(content, (byte) 7);
    OverlayMemory memory = OverlayMemory.of(file(content));
    memory.writePlain(COPY, 1);
    memory.shrink(COPY + 64);

    memory.grow(3 * COPY);

    byte[] expected = Arrays.copyOf(content, 3 * COPY);
    Arrays.fill(expected, COPY + 64, 3 * COPY, (byte) 0);
    Arrays.fill(expected, COPY, COPY + 8, (byte) 0);
    expected[COPY] = 1;
    assertSame(memory, expected);
    memory.close();
  }

  private static void assertSame(OverlayMemory memory, byte[] expected) {
    assertThat(memory.length()).isEqualTo(expected.length);
    byte[] found = new byte[expected.length];
    memory.readBytes(0, found, 0, found.length);
    assertThat(Arrays.mismatch(found, expected)).isEqualTo(-1);
    for (int at = 0; at < expected.length; at += 8 * 509) {
      byte[] word = Arrays.copyOfRange(expected, at, at + 8);
      long value = 0;
      for (int i = 7; i >= 0; i--) {
        value = value << 8 | word[i] & 0xff;
      }
      assertThat(memory.readPlain(at)).isEqualTo(value);
      assertThat(memory.readAcquire(at)).isEqualTo(value);
    }
  }
}
