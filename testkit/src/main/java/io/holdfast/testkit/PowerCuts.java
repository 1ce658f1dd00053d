package io.holdfast.testkit;

import io.holdfast.testkit.TracedDisk.Call;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Cuts the power in what a process had a {@link TracedDisk} do: at a call, which is under way.
/// What was durable before is there; of what was written since, each sector or not; and so with the
/// lengths and the names of files.
public final class PowerCuts {
  private final List<Entry> entries;

  private record Entry(Call call, Path file, long at, byte[] bytes) {
    boolean isOfTheDisk() {
      return call != Call.TOLD && call != Call.KNOWN && call != Call.LENGTHENED;
    }
  }

  /// Looks at what a cut has left.
  public interface Look {
    /// @param image a directory with the disk's files; deleted afterwards
    /// @param told the last number of each channel that was told before the cut
    void at(Path image, Map<Integer, Long> told) throws IOException;
  }

  private PowerCuts(List<Entry> entries) {
    this.entries = entries;
  }

  /// Reads a trace.
  public static PowerCuts of(Path trace) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(trace)))) {
      for (int call = in.read(); call >= 0; call = in.read()) {
        Path file = Path.of(in.readUTF());
        long at = in.readLong();
        entries.add(new Entry(Call.values()[call], file, at, in.readNBytes(in.readInt())));
      }
    } catch (EOFException e) {
      throw new IOException("the trace was cut off: " + trace, e);
    }
    return new PowerCuts(entries);
  }

  /// How many calls there are to cut.
  public int calls() {
    return (int) entries.stream().filter(Entry::isOfTheDisk).count();
  }

  /// Cuts the power so many times, each time at a call that is drawn.
  ///
  /// @param images where they are made
  /// @return how many cuts there were at each kind of call
  public Map<String, Integer> cut(int cuts, Path images, Random random, Look look)
      throws IOException {
    int[] at = random.ints(cuts, 0, calls()).sorted().toArray();
    Map<Path, CutFile> files = new TreeMap<>();
    Map<Integer, Long> told = new HashMap<>();
    Map<Call, Integer> counts = new EnumMap<>(Call.class);
    int call = 0;
    int next = 0;
    for (Entry entry : entries) {
      if (!entry.isOfTheDisk()) {
        end(entry, files, told);
        continue;
      }
      begin(entry, files);
      for (; next < cuts && at[next] == call; next++) {
        CutFile.image(
            files, images, random.nextInt(6), random, image -> look.at(image, Map.copyOf(told)));
        counts.merge(entry.call, 1, Integer::sum);
      }
      call++;
      end(entry, files, told);
    }
    Map<String, Integer> named = new TreeMap<>();
    counts.forEach((kind, count) -> named.put(kind.name().toLowerCase(Locale.ROOT), count));
    return named;
  }

  /// The call may have done any part of what it does.
  private static void begin(Entry entry, Map<Path, CutFile> files) {
    CutFile file = files.get(entry.file);
    switch (entry.call) {
      case CREATE -> {
        CutFile created = new CutFile();
        created.isNamed = true;
        created.isNameDurable = file != null && file.isNameDurable;
        files.put(entry.file, created);
      }
      case DELETE -> file.isNamed = false;
      case WRITE, WRITE_DURABLY -> file.put(entry.at, entry.bytes);
      case SET_LENGTH -> file.setLength((int) entry.at);
      default -> {}
    }
  }

  /// The call has returned.
  private static void end(Entry entry, Map<Path, CutFile> files, Map<Integer, Long> told) {
    CutFile file = files.get(entry.file);
    switch (entry.call) {
      case KNOWN -> {
        CutFile known = new CutFile();
        known.live = entry.bytes;
        known.isNamed = true;
        known.isNameDurable = true;
        known.settle();
        files.put(entry.file, known);
      }
      case LENGTHENED -> file.lengthen((int) entry.at);
      case TOLD ->
          told.put(Integer.valueOf(entry.file.toString()), ByteBuffer.wrap(entry.bytes).getLong());
      case FORCE_NAMES -> files.values().forEach(each -> each.isNameDurable = each.isNamed);
      case WRITE_DURABLY -> file.settle((int) entry.at, entry.bytes.length);
      case FORCE -> file.settle();
      default -> {}
    }
  }
}
