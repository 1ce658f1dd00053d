package io.holdfast.verification;

/// Something in a region that is not as the format says.
///
/// @param severity what that means
/// @param path where it is: the way from a root to the part
/// @param offset where that part begins in the file; the message may name a nearer place
/// @param message what was found
public record Fault(Severity severity, String path, long offset, String message) {
  /// What a fault means for the data.
  public enum Severity {
    /// The next opening puts it right.
    REPAIRABLE,
    /// Space that nothing reaches: no data is lost, and the space is not used again.
    LEAK,
    /// The bytes are as they were stored, and the program's class can't read them.
    UNREADABLE,
    /// Data is lost, or can't be trusted.
    DAMAGE
  }
}
