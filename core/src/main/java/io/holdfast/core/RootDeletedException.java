package io.holdfast.core;

/// The collection was deleted; this object was opened before that. Its name may belong to another
/// one by now: open it anew.
public final class RootDeletedException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RootDeletedException(String message) {
    super(message);
  }
}
