package io.holdfast.core;

/// A section that was to leave nothing behind after an exception, and could not be undone because
/// other threads had already seen what it did: all that it did before the exception is kept. The
/// cause is the action's exception.
///
/// Others see what a section does when it gives up a lock in its middle. A transaction lets nobody
/// look.
public final class NotUndoneException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public NotUndoneException(String message, Throwable cause) {
    super(message, cause);
  }
}
