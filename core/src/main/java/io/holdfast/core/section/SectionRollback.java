package io.holdfast.core.section;

import io.holdfast.core.RegionFullException;
import java.util.ArrayList;
import java.util.List;

/// What a section needs to be rolled back, and what it says once it is, or cannot begin. Confined
/// to the section's thread.
final class SectionRollback {
  private final String region;

  /// What the section changes and is not on media.
  private final List<VolatileState> states = new ArrayList<>(0);

  /// What further stores throw: the device was full and the section is rolled back, or could not
  /// begin. `null` as a rule.
  private RegionFullException full;

  /// What was thrown last because others had seen what the section did, so that the code which
  /// passes it on does not ask again.
  private RegionFullException reported;

  SectionRollback(String region) {
    this.region = region;
  }

  /// Enlists a state, and saves it, unless an equal one is enlisted.
  void enlist(VolatileState state) {
    for (int i = states.size() - 1; i >= 0; i--) {
      if (states.get(i).equals(state)) {
        return;
      }
    }
    state.save();
    states.add(state);
  }

  /// Sets back what was enlisted, last first.
  void restoreStates() {
    for (int i = states.size() - 1; i >= 0; i--) {
      states.get(i).restore(); // ROLLBACK-4
    }
  }

  boolean isRefused() {
    return full != null;
  }

  /// Whether no rollback is to be tried for this cause.
  boolean isSettledFor(RegionFullException cause) {
    return full != null || cause.equals(reported);
  }

  /// From now on stores are refused: the section cannot begin.
  void refuse(RegionFullException cause) {
    full = cause;
  }

  /// The section that could not begin is over.
  void forgetRefusal() {
    full = null;
  }

  /// @return what is thrown after a rollback
  RegionFullException isDone(RegionFullException cause) {
    full =
        new RegionFullException(
            cause.getMessage()
                + ". The section was rolled back: nothing that it did in this store since its first"
                + " lock is there",
            cause);
    return full;
  }

  /// @return what is thrown if others have seen what the section did (ROLLBACK-2)
  RegionFullException isImpossible(RegionFullException cause) {
    reported =
        new RegionFullException(
            cause.getMessage()
                + ". The operation that needed room changed nothing; but the section was not"
                + " rolled back, because others have already seen what it did before",
            cause);
    return reported;
  }

  /// @throws RegionFullException if the section was rolled back, or could not begin
  void check() {
    if (full != null) {
      throw refusal();
    }
  }

  private RegionFullException refusal() {
    return new RegionFullException(
        "%s: this section found no room, and nothing that it did in this store is there. It takes no more stores; release its outermost lock, and the next one does"
            .formatted(region),
        full);
  }

  /// The section is over.
  void forget() {
    full = null;
    reported = null;
    states.clear();
  }
}
