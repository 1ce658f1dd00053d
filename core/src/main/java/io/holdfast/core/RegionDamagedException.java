package io.holdfast.core;

/// The file is a region, but a part of it that must be intact is not: cut off, overwritten or
/// decayed. It was not touched; restore it from a backup.
public final class RegionDamagedException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionDamagedException(String message) {
    super(message);
  }

  public RegionDamagedException(String message, Throwable cause) {
    super(message, cause);
  }
}
