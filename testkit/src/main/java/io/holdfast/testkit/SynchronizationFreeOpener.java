package io.holdfast.testkit;

import io.holdfast.core.Regions;

/// Opens stores whose sections end at releases ({@link Regions#SYNCHRONIZATION_FREE}):
/// `@CrashTest(opener = SynchronizationFreeOpener.class)`.
public final class SynchronizationFreeOpener extends HoldfastOpener {
  public SynchronizationFreeOpener() {
    super(Regions.SYNCHRONIZATION_FREE);
  }
}
