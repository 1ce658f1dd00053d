package io.holdfast.recovery.cli;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.RootReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How far the jobs of a region have come, for people, with their states as JSON.
final class JobFacts {
  private JobFacts() {}

  /// Adds them, if there are any.
  static Facts added(Facts facts, Region region) {
    List<Facts> rows = new ArrayList<>();
    for (Root root : region.roots().all()) {
      if (root.kind().equals(CollectionKind.JOB)) {
        RootReader reader = RootReader.of(region, root.name());
        Values values = Values.of(reader.valueCodec(), JobFacts.class.getClassLoader(), false);
        reader.forEach(
            elements -> {
              elements.forEach(
                  each -> rows.add(row(root.name(), (Map<?, ?>) values.read(each.value()))));
              return true;
            });
      }
    }
    return rows.isEmpty() ? facts : facts.put("jobs", rows);
  }

  private static Facts row(String name, Map<?, ?> job) {
    return new Facts()
        .put("name", name)
        .put("finished", job.get("finished"))
        .put("cuts", job.get("cuts"))
        .put("changes", job.get("changes"))
        .put("started", job.get("started"))
        .put("cut", job.get("cut"))
        .put("state", Values.json(job.get("state")));
  }
}
