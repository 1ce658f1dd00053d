package io.holdfast.core;

/// The device has no room for the region to grow, or a quota or file-size limit forbids it. Nothing
/// that was acknowledged is lost: make room and call again.
///
/// The failure-atomic section that the thread is in has been rolled back: nothing that it did in
/// this store since its first lock is there, and further changes in it are refused in the same way,
/// until its outermost lock is released. The next section works. What the program has changed in
/// its own memory meanwhile is its own to set right. If other threads have already acquired locks
/// that the section had released, it can't be rolled back: the operation that failed has changed
/// nothing, what the section did before stays, and the message says so.
public final class RegionFullException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionFullException(String message) {
    super(message);
  }

  public RegionFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
