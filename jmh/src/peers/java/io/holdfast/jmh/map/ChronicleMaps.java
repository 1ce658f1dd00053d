package io.holdfast.jmh.map;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/// Chronicle Map, in a file of its size from the beginning, with its number of entries and their
/// sizes told, as its tutorial asks for. A put does not read what was there before
/// (`putReturnsNull`), which is less than the others do, and faster; bytes are read into the same
/// array again (`getUsing`).
///
/// What is in the mapped file survives the process. A file that was not closed must be recovered
/// (`recoverPersistedTo`), which looks at every entry.
final class ChronicleMaps implements BenchmarkMap {
  private final ChronicleMap<Long, Long> longs;
  private final ChronicleMap<byte[], byte[]> bytes;

  ChronicleMaps(Path directory, MapShape shape) {
    Path file = directory.resolve("map.chronicle");
    try {
      if (shape.isOfLongs()) {
        longs = open(ChronicleMapBuilder.of(Long.class, Long.class), file, shape);
        bytes = null;
      } else {
        longs = null;
        bytes =
            open(
                ChronicleMapBuilder.of(byte[].class, byte[].class)
                    .constantKeySizeBySample(new byte[shape.keyBytes()])
                    .constantValueSizeBySample(new byte[shape.valueBytes()]),
                file,
                shape);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <K> ChronicleMap<K, K> open(
      ChronicleMapBuilder<K, K> builder, Path file, MapShape shape) throws IOException {
    builder.entries(shape.entries()).putReturnsNull(true);
    return Files.exists(file)
        ? builder.recoverPersistedTo(file.toFile(), true)
        : builder.createPersistedTo(file.toFile());
  }

  @Override
  public LongAccess longs() {
    return new LongAccess() {
      @Override
      public void put(long key, long value) {
        longs.put(key, value);
      }

      @Override
      public long get(long key) {
        Long found = longs.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key);
        }
        return found;
      }
    };
  }

  @Override
  public ByteAccess bytes() {
    return new ByteAccess() {
      private byte[] read;

      @Override
      public void put(byte[] key, byte[] value) {
        bytes.put(key, value);
      }

      @Override
      public byte[] get(byte[] key) {
        read = bytes.getUsing(key, read);
        return read;
      }
    };
  }

  @Override
  public void close() {
    (longs != null ? longs : bytes).close();
  }
}
