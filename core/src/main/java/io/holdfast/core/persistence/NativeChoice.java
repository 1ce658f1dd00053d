package io.holdfast.core.persistence;

import java.util.List;

/// The first of some candidates for native calls that this process may use, and why it is not an
/// earlier one.
///
/// @param calls `null` if all were refused
/// @param refusals why, each with the name of its candidate; empty if none was
/// @param isDenied whether the JVM denies native access, which a flag of its command line permits
record NativeChoice(NativeCalls calls, String refusals, boolean isDenied) {
  /// Finds native calls.
  interface Source {
    /// @throws Throwable if there are none, saying why; also the errors of linking
    NativeCalls find() throws Throwable;
  }

  /// A way to native calls.
  record Candidate(String name, Source source) {}

  static NativeChoice of(List<Candidate> candidates) {
    String refusals = "";
    boolean isDenied = false;
    for (Candidate candidate : candidates) {
      try {
        return new NativeChoice(candidate.source.find(), refusals, isDenied);
      } catch (Throwable e) {
        refusals +=
            "%s%s: %s".formatted(refusals.isEmpty() ? "" : "; ", candidate.name, e.getMessage());
        isDenied |= e instanceof IllegalCallerException;
      }
    }
    return new NativeChoice(null, refusals, isDenied);
  }

  boolean isAvailable() {
    return calls != null;
  }

  /// What was chosen, and why nothing before it; for humans.
  @Override
  public String toString() {
    return isAvailable() && refusals.isEmpty()
        ? calls.name()
        : "%s (%s)".formatted(isAvailable() ? calls.name() : "none", refusals);
  }
}
