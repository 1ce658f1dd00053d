package io.holdfast.stress.example;

import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// What the workloads of the examples share: the agent weaves the example's package, and the
/// invariant is all that is checked, since the examples acknowledge nothing.
abstract class Example implements Workload {
  private final String name;

  Example(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  /// The packages of the examples are named like these workloads.
  @Override
  public final List<String> woven() {
    return List.of("com.example." + name + ".**");
  }

  @Override
  public final void setUp(Worker worker) {
    Probe<?> probe = tryOut();
    // Otherwise a loop without an agent would be a loop about nothing, or fail for a wrong reason.
    if (!probe.wasInSection()) {
      throw new IllegalStateException("the example is not woven: " + woven());
    }
    worker.store().atomically(() -> fill(worker));
  }

  /// Has the example change a queue in memory.
  abstract Probe<?> tryOut();

  /// Makes what is missing, and the program's objects.
  abstract void fill(Worker worker);

  @Override
  public final void acknowledged(int channel, long number) {
    throw new IllegalStateException("nothing is acknowledged: channel=" + channel);
  }

  static List<String> names(String kind, int count) {
    return IntStream.range(0, count).mapToObj(i -> kind + "-" + i).toList();
  }

  /// What is in any of the collections more than once.
  static Set<String> doubles(List<? extends Collection<String>> collections) {
    Set<String> seen = new HashSet<>();
    Set<String> doubles = new HashSet<>();
    collections.stream()
        .flatMap(Collection::stream)
        .filter(each -> !seen.add(each))
        .forEach(doubles::add);
    return doubles;
  }
}
