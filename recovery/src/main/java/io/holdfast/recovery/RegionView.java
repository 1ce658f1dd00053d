package io.holdfast.recovery;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.OpeningRecord;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SystemRun;
import io.holdfast.core.recovery.RecoveryPlan;
import io.holdfast.core.recovery.Strategy;
import io.holdfast.core.region.Region;
import io.holdfast.verification.OverlayMemory;
import java.nio.file.Path;
import java.util.Optional;

/// A region's file, looked at without changing it ({@link OverlayMemory}), whether it was closed,
/// was not, or is in use.
///
/// What a region that was not closed holds is what its next opening will make of it: the real
/// recovery runs, over copies ({@link #recovered}). The file can be copied, or be on a medium that
/// can't be written.
///
/// *A store in use* is looked at too, without its taking notice. But its process goes on storing:
/// what is read then may be of different moments, and what looks like damage may be none. {@link
/// #holder} tells, and who shows what was read says so.
///
/// Thread-safe.
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public final class RegionView implements AutoCloseable {
  private final Path path;
  private final OverlayMemory memory;
  private final RegionHeader header;
  private final String holder;
  private Region region;
  private OverlayMemory untouched;
  private RecoveryPlan plan;

  private final OpeningRecord opening;
  private final boolean mixesMoments;

  private RegionView(Path path, OverlayMemory memory, RegionHeader header, String holder) {
    this.path = path;
    this.memory = memory;
    this.header = header;
    this.holder = holder;
    this.opening = OpeningRecord.read(memory);
    this.mixesMoments = holder == null && SystemRun.mayMixMoments(memory, path);
  }

  /// Opens a file to look at it.
  ///
  /// @throws io.holdfast.core.RegionFormatException if it is not a region, or one of a newer
  ///   version
  /// @throws RegionDamagedException if both copies of its header are damaged or it was cut off
  /// @throws io.holdfast.core.RegionAccessException if there is none, or it may not be read
  public static RegionView open(Path path) {
    return PrivateThread.call("holdfast-view", () -> map(path));
  }

  private static RegionView map(Path path) {
    OverlayMemory memory = OverlayMemory.of(path);
    try {
      RegionHeader header = RegionHeader.read(memory);
      // The process that closed it has let go of it, so only an open one is worth a look at the
      // lock.
      String holder = header.state() == State.OPEN ? RegionFile.holder(path) : null;
      return new RegionView(path, memory, header, holder);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /// The path that it was opened by.
  public Path path() {
    return path;
  }

  /// The bytes, to be read; what is stored to them is seen here alone.
  public OverlayMemory memory() {
    return memory;
  }

  /// The copy of the header that counts, as it was when the view was opened.
  public RegionHeader header() {
    return header;
  }

  /// When and for what it was last opened, and what its last recovery did; empty if that is not
  /// known.
  public Optional<OpeningRecord> opening() {
    return Optional.ofNullable(opening);
  }

  /// Which process has the store open, as `pid=…, started=…`; empty if none has.
  public Optional<String> holder() {
    return Optional.ofNullable(holder);
  }

  /// Whether its last user did not let go of it in order, and nobody has it open: the next opening
  /// recovers it.
  public boolean needsRecovery() {
    return header.state() == State.OPEN && holder == null;
  }

  /// Whether the system went down under the region: its pages may be of different moments, and the
  /// next opening verifies it before it serves it.
  public boolean mayMixMoments() {
    return mixesMoments;
  }

  /// The region as an opening would find or make it. The first call opens, and recovers if need be.
  ///
  /// @throws RegionDamagedException naming the place, if something can't be
  public synchronized Region recovered() {
    if (region == null) {
      region = Region.open(memory, 0);
    }
    return region;
  }

  /// What recovery would do with the logs as they are in the file, and why.
  ///
  /// @throws RegionDamagedException naming the place, if a log can't be right
  public synchronized RecoveryPlan plan() {
    if (plan == null) {
      // Of a view of its own: in this one the logs may have been forgotten.
      untouched = OverlayMemory.of(path);
      RegionHeader read = RegionHeader.read(untouched);
      plan = Strategy.of(untouched, new SpanTable(untouched, read)).plan();
    }
    return plan;
  }

  /// The bytes as they are in the file, whatever was recovered here.
  ///
  /// @return those that {@link #plan} was made of
  public synchronized OverlayMemory untouched() {
    plan();
    return untouched;
  }

  /// Lets go of the file and of the copies. Idempotent.
  @Override
  public synchronized void close() {
    if (untouched != null) {
      untouched.close();
    }
    if (region != null) {
      region.sections().close();
    }
    memory.close();
  }
}
