package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import java.util.List;
import java.util.Map;

/// What a kill loop runs, and what must hold after each kill. A class with a public constructor
/// without parameters, which is instantiated on both sides: in each worker JVM to work, and once
/// for each store in the parent, where it is the model of what the store must hold.
public interface Workload {
  /// How it is called on the command line and in tables.
  String name();

  /// Makes what is missing. In the worker, after each opening and before any thread works; a kill
  /// may cut it off anywhere, so it must tell by the store alone what is still to be done.
  void setUp(Worker worker);

  /// What one thread of the worker does. When it returns in all threads, the worker closes the
  /// store.
  void work(Worker worker, int thread) throws Exception;

  /// In the parent: what the worker acknowledged, in the order of each thread. Never during {@link
  /// #check}.
  void acknowledged(int channel, long number);

  /// In the parent: compares a store that was just opened with what was acknowledged.
  ///
  /// @param lives how many workers were killed since the last check
  /// @throws Violation saying what does not hold
  void check(Holdfast store, int lives);

  /// How the worker opens the store.
  ///
  /// @param options for the failure that it is to survive
  default Holdfast.Options options(Holdfast.Options options) {
    return options;
  }

  /// The classes that the agent weaves in the worker; none means no agent.
  default List<String> woven() {
    return List.of();
  }

  /// Whether the worker opens the store again after it closed it, or ends.
  default boolean reopens() {
    return false;
  }

  /// What the worker's instance has to be told, besides what the loop is given.
  default Map<String, String> parameters() {
    return Map.of();
  }

  /// When the worker is killed.
  default KillTiming timing() {
    return KillTiming.AT_WORK;
  }

  /// After how many kills a new store is begun.
  default int killsPerStore() {
    return 20;
  }
}
