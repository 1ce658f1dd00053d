package io.holdfast.jmh.call;

import io.holdfast.jmh.map.Maps;
import java.nio.file.Path;
import java.util.List;

/// Calls of a function that counts them. Thread-safe.
public interface Calls extends AutoCloseable {
  String HOLDFAST = "Holdfast";
  String DB_SCHEDULER = "db-scheduler";

  /// In the order of reports.
  List<String> ALL = List.of(HOLDFAST, DB_SCHEDULER);

  static List<String> present() {
    return Maps.hasPeers() ? ALL : List.of(HOLDFAST);
  }

  /// Creates them in a directory, which exists.
  static Calls create(String name, Path directory) {
    return name.equals(HOLDFAST)
        ? new HoldfastCalls(directory)
        : Maps.requirePeers(name).createCalls(name, directory);
  }

  /// Accepts a call, which survives a kill from when this returns until it was made.
  void submit(long number);

  /// How many were made.
  long made();

  @Override
  void close();
}
