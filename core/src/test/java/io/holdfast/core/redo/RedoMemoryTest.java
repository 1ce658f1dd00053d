package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedoMemoryTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir Path directory;

  private static RegionFile open(Path path) {
    return RegionFile.openOn(path, Disks.powerFailure(false, Durability.POWER_FAILURE));
  }

  /// What a loss of power would leave at the least.
  private Path cut(Path path) throws IOException {
    Path copy = directory.resolve("cut.hf");
    Files.copy(LoggedFile.logOf(path), LoggedFile.logOf(copy)); // first: a checkpoint may run
    Files.copy(path, copy);
    return copy;
  }

  /// LOG-N1: of an opening that has failed, a new file stays if it needs its log.
  @Test
  void whatIsGivenUpIsDeletedUnlessItNeedsItsLog() {
    Path plain = directory.resolve("plain.hf");
    RegionFile file = RegionFile.openOn(plain, Disks.processCrash());
    Region.open(file.memory(), RegionFile.INITIAL_BYTES).abandon(); // which closes its memory
    file.abandon();
    assertThat(plain).doesNotExist();
    Path logged = directory.resolve("logged.hf");
    file = open(logged);
    Region.open(file.memory(), RegionFile.INITIAL_BYTES).abandon();
    file.abandon();
    assertThat(logged).exists();
    assertThat(LoggedFile.logOf(logged)).exists();
    try (RegionFile again = open(logged)) {
      Region.open(again.memory(), RegionFile.INITIAL_BYTES).close();
    }
  }

  /// LENGTH-2, MAPPING-5.
  @Test
  void length2WhatComesBackIsZero() throws IOException {
    Path path = directory.resolve("r.hf");
    try (RegionFile file = open(path);
        Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = file.memory();
      memory.grow(2 * MEBIBYTE);
      for (long at = MEBIBYTE; at < 2 * MEBIBYTE; at += 512) {
        memory.writePlain(at, -1);
      }
      memory.shrink(MEBIBYTE);
      memory.grow(3 * MEBIBYTE);
      memory.writePlain(MEBIBYTE + 512, 7);
      memory.awaitDurable();
      check(memory);
      try (RegionFile copy = open(cut(path))) {
        check(copy.memory());
      }
    }
  }

  /// STREAM-3: an error strikes between a store's ticket and its record.
  @Test
  void stream3NothingIsStoredBehindAFailure() {
    Path path = directory.resolve("r.hf");
    long at = MEBIBYTE / 2;
    try (RegionFile file = open(path);
        Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = file.memory();
      memory.writePlain(at, 1);
      memory.awaitDurable();
      assertThatNullPointerException().isThrownBy(() -> memory.writeBytesPlain(at, null, 0, 8));
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(() -> memory.writePlain(at, 2))
          .withMessageContaining(path.toString())
          .withMessageContaining("open it again")
          .withCauseInstanceOf(NullPointerException.class);
      assertThat(memory.readPlain(at)).isEqualTo(1);
    }
    try (RegionFile file = open(path)) {
      assertThat(file.memory().readPlain(at)).isEqualTo(1);
    }
  }

  private static void check(Memory memory) {
    for (long at = MEBIBYTE; at < 3 * MEBIBYTE; at += 8) {
      assertThat(memory.readPlain(at)).isEqualTo(at == MEBIBYTE + 512 ? 7 : 0);
    }
  }

  @Test
  void piece1APageAtATime() {
    try (RegionFile file = open(directory.resolve("r.hf"));
        Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = file.memory();
      long page = MEBIBYTE / 2;
      assertThat(memory.storesWhole(page, 4_096)).isTrue();
      assertThat(memory.storesWhole(page + 4_000, 96)).isTrue();
      assertThat(memory.storesWhole(page + 4_000, 104)).isFalse();
    }
  }

  /// All kinds of stores, at the edges of pages too, are what replay leaves.
  @Test
  void replayLeavesWhatWasStored() throws IOException {
    Path path = directory.resolve("r.hf");
    try (RegionFile file = open(path);
        Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = file.memory();
      long at = MEBIBYTE / 2;
      byte[] bytes = new byte[20_000];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i * 31);
      }
      memory.writeBytesPlain(at + 5, bytes, 0, bytes.length);
      memory.zeroPlain(at + 4_000, 5_000);
      memory.writeEntryRelease(at + 4_096 - 16, 1, 2, 3, 4);
      memory.writeEntryRelease(at + 8_192, 5, 6, 7, 8);
      memory.writeLoggedByte(at + 8_192 + 11, (byte) 99);
      memory.writeLogged(at + 30_000, -5);
      memory.writeRelease(at + 30_008, -6);
      memory.awaitDurable();
      byte[] expected = new byte[40_000];
      memory.readBytes(at, expected, 0, expected.length);
      byte[] found = new byte[expected.length];
      try (RegionFile copy = open(cut(path))) {
        copy.memory().readBytes(at, found, 0, found.length);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  @Test
  void aClosedMemoryIsClosed() {
    Path path = directory.resolve("r.hf");
    RegionFile file = open(path);
    Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    Memory memory = file.memory();
    region.close();
    file.close();
    file.close();
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> memory.writePlain(1 << 19, 1));
    memory.awaitDurable();
    assertThat(LoggedFile.logOf(path)).doesNotExist();
  }
}
