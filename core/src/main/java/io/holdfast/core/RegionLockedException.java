package io.holdfast.core;

/// Another process, or another store of this process, has the region open. Only one may at a time.
public final class RegionLockedException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionLockedException(String message) {
    super(message);
  }
}
