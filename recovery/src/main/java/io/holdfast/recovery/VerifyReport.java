package io.holdfast.recovery;

import io.holdfast.verification.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a verification has found.
///
/// @param file the region
/// @param verdict all in one word
/// @param wasOpen whether the region was not closed, and was looked at as recovery would leave it
/// @param faults what is wrong: the first of them, if there are very many
/// @param faultsFound how many there are
/// @param roots the collections that could be opened
/// @param blocks used blocks
/// @param liveBytes what they can hold
/// @param bytes the region's length
/// @param duration how long it took
public record VerifyReport(
    Path file,
    Verdict verdict,
    boolean wasOpen,
    List<Fault> faults,
    long faultsFound,
    List<RootCount> roots,
    long blocks,
    long liveBytes,
    long bytes,
    Duration duration) {
  /// All in one word.
  public enum Verdict {
    /// Closed in order, and nothing is wrong.
    SOUND,
    /// The next opening makes it sound, without loss.
    RECOVERABLE,
    /// Nothing is wrong with the file, and the classes that were given can't read some elements.
    UNREADABLE,
    /// Something is wrong that opening does not put right.
    DAMAGED
  }

  /// @param entries elements of a queue, entries of a map; those of parts without a fault
  public record RootCount(String name, String kind, String fingerprint, long entries) {}

  /// A line for people.
  public String summary() {
    long entries = roots.stream().mapToLong(RootCount::entries).sum();
    return "%s: %s: %sroots=%d, entries=%d, blocks=%d, live=%d of %d bytes, faults=%d, %d ms"
        .formatted(
            file,
            verdict.name().toLowerCase(java.util.Locale.ROOT),
            wasOpen ? "was not closed, looked at as recovered; " : "",
            roots.size(),
            entries,
            blocks,
            liveBytes,
            bytes,
            faultsFound,
            duration.toMillis());
  }
}
