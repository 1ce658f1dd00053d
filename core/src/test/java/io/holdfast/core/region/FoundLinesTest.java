package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process is killed, the next one goes on with what it finds in the caches of memory that is
/// declared to be persistent, and then the power fails. The crash explorer knows only one of these
/// failures at a time, and begins with bytes that are durable.
@ExtendWith(QuietRecoveries.class)
class FoundLinesTest {
  @TempDir Path directory;

  /// What the caches and the media have when a process is killed.
  private record Moment(byte[] cache, byte[] media) {}

  /// The file is what is in the caches. On media is what was flushed and fenced, and nothing else.
  private static final class Lines extends PersistenceDomain {
    private record Line(int at, byte[] bytes) {}

    private final PageCache cache = new PageCache();
    private final List<Line> flushed = new ArrayList<>();
    private final List<Moment> moments = new ArrayList<>();
    private final Path observed;
    private byte[] media;

    /// @param observed the file whose moments are kept; `null` for none
    Lines(byte[] media, Path observed) {
      this.media = media;
      this.observed = observed;
    }

    /// As it would be if the process were killed now.
    void keepMoment() {
      if (observed != null) {
        try {
          moments.add(new Moment(Files.readAllBytes(observed), media));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
        throws IOException {
      return cache.map(channel, start, length, arena);
    }

    @Override
    public void flush(MemorySegment segment, long offset, long length) {
      keepMoment();
      for (long at = offset & -LINE_BYTES; at < offset + length; at += LINE_BYTES) {
        byte[] bytes = segment.asSlice(at, LINE_BYTES).toArray(ValueLayout.JAVA_BYTE);
        flushed.add(new Line((int) at, bytes));
      }
    }

    @Override
    public void fence() {
      keepMoment();
      int end = flushed.stream().mapToInt(line -> line.at + LINE_BYTES).max().orElse(0);
      byte[] next = Arrays.copyOf(media, Math.max(media.length, end)); // moments keep the old one
      flushed.forEach(line -> System.arraycopy(line.bytes, 0, next, line.at, LINE_BYTES));
      media = next;
      flushed.clear();
    }

    @Override
    protected boolean syncWritesLinesBack() {
      return false;
    }

    @Override
    public boolean survivesPowerFailure() {
      return true;
    }

    @Override
    public PersistenceCounts counts() {
      return PersistenceCounts.NONE;
    }
  }

  @ParameterizedTest
  @EnumSource
  void found2WhatTheNextProcessHasSeenIsDurable(Durability durability) throws IOException {
    List<Moment> moments = firstProcess(durability);
    assertThat(moments).hasSizeGreaterThan(durability == Durability.POWER_FAILURE ? 10 : 0);
    Path path = directory.resolve("second");
    for (int i = 0; i < moments.size(); i++) {
      Files.write(path, moments.get(i).cache());
      Lines lines = new Lines(moments.get(i).media(), null);
      try (RegionFile file = RegionFile.open(path, _ -> lines)) {
        Region region = Words.open(file.memory());
        List<Long> seen = Words.read(region, 0, 2);
        assertThat(afterPowerFailure(path, lines)).as("seen by process %d", i).isEqualTo(seen);
        if (!seen.isEmpty()) {
          Words.atomically(() -> Words.write(region, 1, seen.getFirst() + 10));
          assertThat(afterPowerFailure(path, lines))
              .as("built on by process %d", i)
              .containsExactly(seen.getFirst(), seen.getFirst() + 10);
        }
        region.abandon();
      }
    }
  }

  /// Makes a region with two words, and changes the first one twice.
  ///
  /// @return what it would leave if it were killed: at each flush and fence, and in the end
  private List<Moment> firstProcess(Durability durability) throws IOException {
    Path path = directory.resolve("first");
    Lines lines = new Lines(new byte[0], path);
    PersistenceDomain domain = durability == Durability.POWER_FAILURE ? lines : new PageCache();
    try (RegionFile file = RegionFile.open(path, _ -> domain)) {
      Region region = Words.open(file.memory());
      Words.create(region, 2);
      Words.atomically(() -> Words.write(region, 0, 1));
      Words.atomically(() -> Words.write(region, 0, 2));
      lines.keepMoment();
      region.abandon();
    }
    return lines.moments;
  }

  /// The words that are left of what is on media, in a file that is as long as it was; none if the
  /// region was not made.
  private List<Long> afterPowerFailure(Path path, Lines lines) throws IOException {
    Path left = directory.resolve("left");
    Files.write(left, Arrays.copyOf(lines.media, (int) Files.size(path)));
    try (RegionFile file = RegionFile.open(left)) {
      Region region = Words.open(file.memory());
      List<Long> words = Words.read(region, 0, 2);
      region.abandon();
      return words;
    }
  }
}
