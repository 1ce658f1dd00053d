package io.holdfast.testkit;

import io.holdfast.testkit.DiskCall.Kind;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private final List<DiskCall> trace;

  /// Looks at what a cut has left.
  public interface Look {
    /// @param image a directory with the disk's files; deleted afterwards
    /// @param told the last number of each channel that was told before the cut
    void at(Path image, Map<Integer, Long> told) throws IOException;
  }

  /// @param trace from the disk's beginning
  PowerCuts(List<DiskCall> trace) {
    this.trace = trace;
  }

  /// Reads a trace.
  public static PowerCuts of(Path trace) throws IOException {
    List<DiskCall> calls = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(trace)))) {
      for (int call = in.read(); call >= 0; call = in.read()) {
        Path file = Path.of(in.readUTF());
        long at = in.readLong();
        calls.add(new DiskCall(Kind.values()[call], file, at, in.readNBytes(in.readInt())));
      }
    } catch (EOFException e) {
      throw new IOException("the trace was cut off: " + trace, e);
    }
    return new PowerCuts(calls);
  }

  /// How many calls there are to cut.
  public int calls() {
    return (int) trace.stream().filter(DiskCall::isCut).count();
  }

  /// Cuts the power so many times, each time at a call that is drawn.
  ///
  /// @param images where they are made
  /// @return how many cuts there were at each kind of call
  public Map<String, Integer> cut(int cuts, Path images, Random random, Look look)
      throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    at(
        random.ints(cuts, 0, calls()).sorted().toArray(),
        images,
        random,
        (image, told, call) -> {
          look.at(image, told);
          counts.merge(call.kind().name().toLowerCase(Locale.ROOT), 1, Integer::sum);
        });
    return counts;
  }

  /// Looks at what a failure has left in the middle of a call.
  ///
  /// @param <E> what it may throw
  interface Struck<E extends Exception> {
    void at(Path image, Map<Integer, Long> told, DiskCall call) throws E;
  }

  /// Has a failure come at some calls, one after the other: a kill where the trace says so, else a
  /// cut.
  ///
  /// @param numbers of the calls, ascending
  <E extends Exception> void at(int[] numbers, Path images, Random random, Struck<E> struck)
      throws IOException, E {
    CutFiles files = new CutFiles(CutDisk.SECTOR);
    Map<Integer, Long> told = new HashMap<>();
    int number = 0;
    int next = 0;
    for (DiskCall call : trace) {
      files.begin(call);
      for (; call.isCut() && next < numbers.length && numbers[next] == number; next++) {
        Path image =
            call.kind() == Kind.KILLED
                ? files.kill(images)
                : files.cut(images, random.nextInt(6), random);
        struck.at(image, Map.copyOf(told), call);
        CutFiles.delete(image);
      }
      number += call.isCut() ? 1 : 0;
      files.end(call);
      if (call.kind() == Kind.TOLD) {
        told.put(Integer.valueOf(call.file().toString()), ByteBuffer.wrap(call.bytes()).getLong());
      }
    }
  }
}
