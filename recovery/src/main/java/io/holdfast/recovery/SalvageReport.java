package io.holdfast.recovery;

import java.util.List;

/// What was got out of a damaged region, and what was not.
///
/// @param roots what was copied
/// @param losses what is missing, or may be wrong; the first of them, if there are very many
/// @param lossesFound how many there are
public record SalvageReport(List<SalvagedRoot> roots, List<Loss> losses, long lossesFound) {
  /// @param entries how many were copied
  public record SalvagedRoot(String name, String kind, String fingerprint, long entries) {}

  /// @param path where it was: the way from a root to the part
  /// @param offset where that part begins in the damaged file
  /// @param message what is missing
  public record Loss(String path, long offset, String message) {}

  /// A line for people.
  public String summary() {
    return "roots=%d, entries=%d, losses=%d"
        .formatted(
            roots.size(), roots.stream().mapToLong(SalvagedRoot::entries).sum(), lossesFound);
  }
}
