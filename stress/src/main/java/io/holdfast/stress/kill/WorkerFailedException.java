package io.holdfast.stress.kill;

/// A worker that ended or hung otherwise than by our kill; the message has what it said.
public final class WorkerFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WorkerFailedException(String message) {
    super(message);
  }
}
