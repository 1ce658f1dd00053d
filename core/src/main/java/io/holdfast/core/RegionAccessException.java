package io.holdfast.core;

/// The operating system refused an access to the region's file: permissions, a missing directory,
/// an I/O error.
public final class RegionAccessException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionAccessException(String message) {
    super(message);
  }

  public RegionAccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
