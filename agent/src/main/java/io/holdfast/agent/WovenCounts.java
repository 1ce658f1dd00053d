package io.holdfast.agent;

import java.util.List;

/// What was woven so far. Thread-safe.
final class WovenCounts {
  private int inScope;
  private int woven;
  private int methods;
  private int before;

  /// @param result what became of a class in scope
  synchronized void add(Weaver.Result result) {
    inScope++;
    before += result.marked() ? 1 : 0;
    if (result.isWoven()) {
      woven++;
      methods += (int) wovenIn(result.methods());
    }
  }

  private static long wovenIn(List<WovenMethod> methods) {
    return methods.stream()
        .filter(
            method ->
                method.sites().stream()
                    .anyMatch(site -> site.construct().isWoven() && site.construct().isTold()))
        .count();
  }

  /// Whether there is no woven class, neither by this agent nor at build time.
  synchronized boolean isEmpty() {
    return woven + before == 0;
  }

  /// How many classes in scope were loaded.
  synchronized int inScope() {
    return inScope;
  }

  /// In words, for the user.
  @Override
  public synchronized String toString() {
    return "woven so far: %d classes with %d methods, of %d loaded classes in scope; at build time: %d"
        .formatted(woven, methods, inScope, before);
  }
}
