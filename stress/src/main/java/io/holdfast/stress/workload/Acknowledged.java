package io.holdfast.stress.workload;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What was acknowledged of payments.
///
/// @param ordered of each thread the number of its last order
/// @param made the keys of those that were made
record Acknowledged(Map<Integer, Long> ordered, Set<Long> made) {
  Acknowledged() {
    this(new HashMap<>(), new HashSet<>());
  }

  Acknowledged copy() {
    return new Acknowledged(new HashMap<>(ordered), new HashSet<>(made));
  }
}
