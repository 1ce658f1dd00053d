package io.holdfast.collections.tree;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.CrashExplorer;

/// Crashes of trees. Not in {@link TreeRegion}, because an explorer asks for the form of the tests:
/// a test that crashes nothing uses the region alone, and `.ci/run` runs it once.
final class TreeCrashes {
  private TreeCrashes() {}

  /// Explores with states, and with all that must hold of any opened tree.
  static CrashExplorer<TreeRegion> explorer(String name, Durability durability) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return CrashExplorer.of(
            name, memory -> TreeRegion.open(isOrdered ? FlushMode.POSTED.over(memory) : memory))
        .surviving(durability)
        .state(TreeRegion::state)
        .check((opened, point) -> opened.check());
  }
}
