package io.holdfast.core;

/// A call with this id was made before, and its function threw an exception: the message has its
/// text. The call left nothing and is not repeated; make another one, with another id.
public final class CallFailedException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public CallFailedException(String message) {
    super(message);
  }
}
