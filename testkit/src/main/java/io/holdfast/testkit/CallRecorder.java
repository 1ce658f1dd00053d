package io.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A disk that keeps its calls, and what a region's streams had at some moments between them.
final class CallRecorder extends WatchedDisk {
  private final Path live;
  private final List<DiskCall> calls = new ArrayList<>();
  private final List<CrashPoint> points = new ArrayList<>();

  /// @param directory with the files that are there, durably
  /// @param name of the region's file
  CallRecorder(Path directory, String name) throws IOException {
    this.live = directory.resolve(name + ".live");
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        knows(file);
      }
    }
  }

  @Override
  void noted(DiskCall what) {
    calls.add(what);
  }

  @Override
  void begins(DiskCall call) {
    calls.add(call);
  }

  synchronized List<DiskCall> calls() {
    return List.copyOf(calls);
  }

  /// From here on a failure is at this point of the body.
  synchronized void at(CrashPoint point) {
    noted(TracedDisk.told("0", points.size()));
    points.add(point);
  }

  synchronized CrashPoint point(long number) {
    return points.get((int) number);
  }

  /// The process may be killed now.
  synchronized void mayBeKilled() {
    try {
      lookAtLengths();
      byte[] bytes = Files.readAllBytes(live);
      calls.add(new DiskCall(DiskCall.Kind.KILLED, live.getFileName(), 0, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
