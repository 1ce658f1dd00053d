package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/// {@link KeyedChanges} of a sorted map: leaves split and merge under the threads, and have a
/// neighbour's keys beside their own.
///
/// Checked besides: the order, as a `TreeMap` has it: neighbours, ranges, and ranks.
public class TreeChanges extends KeyedChanges<PersistentTreeMap<String, KeyedChanges.Note>> {
  /// How many keys the order is looked at from.
  private static final int LOOKS = 200;

  public TreeChanges() {
    super(100, 700);
  }

  @Override
  public String name() {
    return "tree";
  }

  @Override
  final PersistentTreeMap<String, Note> map(Holdfast store) {
    return store.treeMap("changes", String.class, Note.class);
  }

  @Override
  final long validate(PersistentTreeMap<String, Note> found) {
    return found.validate();
  }

  @Override
  final long size(PersistentTreeMap<String, Note> found) {
    return found.size();
  }

  @Override
  final void checkFurther(PersistentTreeMap<String, Note> found, Map<String, Note> expected) {
    checkOrder(found, new TreeMap<>(expected));
  }

  /// Compares a sorted map with what it must be like.
  static <K, V> void checkOrder(PersistentTreeMap<K, V> found, NavigableMap<K, V> expected) {
    List<K> keys = new ArrayList<>(expected.keySet());
    same("keys", null, List.copyOf(found.keySet()), keys);
    same("descending keys", null, List.copyOf(found.descendingKeySet()), keys.reversed());
    same("first", null, found.firstEntry(), expected.firstEntry());
    same("last", null, found.lastEntry(), expected.lastEntry());
    int step = Math.max(1, keys.size() / LOOKS);
    for (int index = 0; index < keys.size(); index += step) {
      K key = keys.get(index);
      same("floor", key, found.floorEntry(key), expected.floorEntry(key));
      same("lower", key, found.lowerEntry(key), expected.lowerEntry(key));
      same("ceiling", key, found.ceilingEntry(key), expected.ceilingEntry(key));
      same("higher", key, found.higherEntry(key), expected.higherEntry(key));
      same("indexOf", key, found.indexOf(key), (long) index);
      same("keyAt", index, found.keyAt(index), key);
      K to = keys.get(Math.min(keys.size() - 1, index + step));
      same(
          "subMap",
          key,
          new TreeMap<>(found.subMap(key, false, to, true)),
          expected.subMap(key, false, to, true));
    }
  }

  private static void same(String what, Object of, Object found, Object expected) {
    Violation.unless(
        Objects.equals(found, expected),
        "a sorted map's order: %s of %s: found=%s, expected=%s",
        what,
        of,
        found,
        expected);
  }
}
