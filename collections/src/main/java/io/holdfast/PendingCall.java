package io.holdfast;

/// A call that was accepted, in this process. Its result is guarded by its lane's turn.
final class PendingCall<R> {
  private final long number;
  private final String id;
  private final Lane<R> lane;
  private boolean isFinished;
  private R result;
  private RuntimeException failure;

  /// @param id `null` if the caller gave none
  PendingCall(long number, String id, Lane<R> lane) {
    this.number = number;
    this.id = id;
    this.lane = lane;
  }

  long number() {
    return number;
  }

  String id() {
    return id;
  }

  Lane<R> lane() {
    return lane;
  }

  boolean isFinished() {
    return isFinished;
  }

  void succeeded(R value) {
    result = value;
    isFinished = true;
  }

  void failed(RuntimeException thrown) {
    failure = thrown;
    isFinished = true;
  }

  /// What it returned, of one that is finished.
  ///
  /// @throws RuntimeException what its function threw
  R result() {
    if (failure != null) {
      throw failure;
    }
    return result;
  }
}
