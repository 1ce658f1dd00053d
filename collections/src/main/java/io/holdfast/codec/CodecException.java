package io.holdfast.codec;

/// Thrown when bytes are not what [Codec#encode] can have written, or when a record's accessor or
/// constructor fails. The message says what was attempted; for a failure inside a value's bytes it
/// ends in `position=…, limit=…`, both counted from the start of the array that is read.
///
/// A codec of the caller's own throws it too, for bytes that it can't accept.
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message what was attempted, what was found, what is allowed
  public CodecException(String message) {
    super(message);
  }

  /// @param message what was attempted
  /// @param cause what went wrong there
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
