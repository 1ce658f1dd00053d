package io.holdfast;

/// A call that was accepted, in this process. Its result is guarded by its lane's turn.
final class PendingCall<R> {
  private final long number;
  private final String id;
  private final Lane<R> lane;
  private boolean isFinished;
  private R result;
  private Exception failure;

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

  void failed(Exception thrown) {
    failure = thrown;
    isFinished = true;
  }

  /// What it returned, of one that is finished.
  ///
  /// What its function threw is thrown again, a checked exception too: other languages than Java
  /// declare none.
  R result() {
    if (failure != null) {
      PendingCall.<RuntimeException>raise(failure);
    }
    return result;
  }

  @SuppressWarnings("unchecked") // on purpose: it is thrown as what it is
  private static <E extends Exception> void raise(Exception thrown) throws E {
    throw (E) thrown;
  }
}
