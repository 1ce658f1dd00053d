package io.holdfast;

import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The calls that are performed one after the other: those of one key, or one that has none.
///
/// Thread-safe.
final class Lane<R> {
  /// Held while one is performed; those who wait learn if its holder lost it (LOCK-6).
  final SectionLock turn;

  private final Object key;

  /// Those that are not finished, by number; `null` where there is no key.
  private final NavigableMap<Long, PendingCall<R>> calls;

  /// @param key `null` for one call alone
  Lane(Sections sections, Object key) {
    this.turn = new SectionLock(sections, this);
    this.key = key;
    this.calls = key == null ? null : new ConcurrentSkipListMap<>();
  }

  /// `null` for one call alone.
  Object key() {
    return key;
  }

  void add(PendingCall<R> call) {
    calls.put(call.number(), call);
  }

  /// @return whether it was the last
  boolean remove(PendingCall<R> call) {
    calls.remove(call.number());
    return calls.isEmpty();
  }

  /// The calls that come before one, oldest first.
  List<PendingCall<R>> before(PendingCall<R> call) {
    return calls == null ? List.of() : List.copyOf(calls.headMap(call.number()).values());
  }
}
