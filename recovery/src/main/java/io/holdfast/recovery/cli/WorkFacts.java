package io.holdfast.recovery.cli;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.RootReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/// The work that a region holds, for people: the calls of its resumables that were accepted and are
/// not finished, with their arguments as JSON, and how far its jobs have come, with their states.
final class WorkFacts {
  /// Of each resumable. How many calls there are is the number of the root's entries.
  private static final int CALLS_MAX = 20;

  private WorkFacts() {}

  /// Adds calls and jobs, if there are any.
  static Facts added(Facts facts, Region region) {
    List<Facts> calls = rows(region, CollectionKind.RESUMABLE, CALLS_MAX, WorkFacts::call);
    if (!calls.isEmpty()) {
      facts.put("unfinished", calls);
    }
    List<Facts> jobs = rows(region, CollectionKind.JOB, Integer.MAX_VALUE, WorkFacts::job);
    return jobs.isEmpty() ? facts : facts.put("jobs", jobs);
  }

  /// @param max how many values of each root
  private static List<Facts> rows(
      Region region, String kind, int max, BiFunction<String, Map<?, ?>, Facts> row) {
    List<Facts> rows = new ArrayList<>();
    for (Root root : region.roots().all()) {
      if (root.kind().equals(kind)) {
        RootReader reader = RootReader.of(region, root.name());
        Values values = Values.of(reader.valueCodec(), WorkFacts.class.getClassLoader(), false);
        int before = rows.size();
        reader.forEach(
            elements -> {
              elements.stream()
                  .limit(max - (rows.size() - before))
                  .map(each -> row.apply(root.name(), (Map<?, ?>) values.read(each.value())))
                  .forEach(rows::add);
              return rows.size() - before < max;
            });
      }
    }
    return rows;
  }

  private static Facts call(String name, Map<?, ?> call) {
    return new Facts()
        .put("name", name)
        .put("id", call.get("id"))
        .put("accepted", call.get("accepted"))
        .put("argument", Values.json(call.get("argument")));
  }

  private static Facts job(String name, Map<?, ?> job) {
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
