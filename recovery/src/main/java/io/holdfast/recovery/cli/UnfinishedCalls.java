package io.holdfast.recovery.cli;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.RootReader;
import io.holdfast.recovery.RootReader.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The calls of a region's resumables that were accepted and are not finished, for people: some of
/// each, with their arguments as JSON. How many there are is the number of the root's entries.
final class UnfinishedCalls {
  /// Of each resumable.
  private static final int SHOWN_MAX = 20;

  private UnfinishedCalls() {}

  /// Adds them, if there are any.
  static Facts added(Facts facts, Region region) {
    List<Facts> rows = new ArrayList<>();
    for (Root root : region.roots().all()) {
      if (root.kind().equals(CollectionKind.RESUMABLE)) {
        addSome(RootReader.of(region, root.name()), root.name(), rows);
      }
    }
    return rows.isEmpty() ? facts : facts.put("unfinished", rows);
  }

  private static void addSome(RootReader reader, String name, List<Facts> rows) {
    List<Element> some = new ArrayList<>();
    reader.forEach(
        elements -> {
          elements.stream().limit(SHOWN_MAX - some.size()).forEach(some::add);
          return some.size() < SHOWN_MAX;
        });
    Values calls = Values.of(reader.valueCodec(), UnfinishedCalls.class.getClassLoader(), false);
    for (Element each : some) {
      Map<?, ?> call = (Map<?, ?>) calls.read(each.value());
      rows.add(
          new Facts()
              .put("name", name)
              .put("id", call.get("id"))
              .put("accepted", call.get("accepted"))
              .put("argument", Values.json(call.get("argument"))));
    }
  }
}
