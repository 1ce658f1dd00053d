package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;

/// What the domains of media that outlive a loss of power have in common: they count.
abstract class CountedDomain extends PersistenceDomain {
  final Tally tally = new Tally();

  @Override
  public final boolean survivesPowerFailure() {
    return true;
  }

  @Override
  public final PersistenceCounts counts() {
    return tally.counts();
  }
}
