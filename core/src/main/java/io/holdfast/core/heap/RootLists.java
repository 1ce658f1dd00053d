package io.holdfast.core.heap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What the two lists are at a time.
///
/// @param roots oldest first, by name
/// @param deleted newest first
record RootLists(SequencedMap<String, Entry> roots, List<Entry> deleted) {
  /// A root and its block.
  record Entry(Root root, long block) {}

  RootLists with(Entry entry) {
    SequencedMap<String, Entry> more = new LinkedHashMap<>(roots);
    more.put(entry.root().name(), entry);
    return new RootLists(more, deleted);
  }

  RootLists with(Entry replacement, Entry old) {
    SequencedMap<String, Entry> changed = new LinkedHashMap<>();
    for (Entry each : roots.values()) {
      Entry now = each.equals(old) ? replacement : each;
      changed.put(now.root().name(), now);
    }
    return new RootLists(changed, deleted);
  }

  RootLists withDeleted(Entry entry) {
    SequencedMap<String, Entry> fewer = new LinkedHashMap<>(roots);
    fewer.remove(entry.root().name());
    List<Entry> more = new ArrayList<>(deleted);
    more.addFirst(entry);
    return new RootLists(fewer, more);
  }

  RootLists withoutNewestDeleted() {
    return new RootLists(roots, List.copyOf(deleted.subList(1, deleted.size())));
  }
}
