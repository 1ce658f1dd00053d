package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;

/// {@link KeyedChanges} of a hash map.
public abstract class HashMapChanges
    extends KeyedChanges<PersistentHashMap<String, KeyedChanges.Note>> {
  HashMapChanges(int keys, int textMax) {
    super(keys, textMax);
  }

  @Override
  final PersistentHashMap<String, Note> map(Holdfast store) {
    return store.hashMap("changes", String.class, Note.class);
  }

  @Override
  final long validate(PersistentHashMap<String, Note> found) {
    return found.validate();
  }

  @Override
  final long size(PersistentHashMap<String, Note> found) {
    return found.mappingCount();
  }
}
