package io.holdfast.core;

/// The device has no room for the region to grow. Nothing that was acknowledged is lost: make room
/// and call again.
public final class RegionFullException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionFullException(String message) {
    super(message);
  }

  public RegionFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
