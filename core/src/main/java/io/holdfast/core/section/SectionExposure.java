package io.holdfast.core.section;

import io.holdfast.core.log.SectionLog;
import io.holdfast.core.section.commit.FollowUps;
import io.holdfast.core.section.commit.GroupCommit;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import java.util.ArrayList;
import java.util.List;

/// What ties a section to others: its record, by which they know it, and what it depends on itself.
/// Confined to the section's thread.
final class SectionExposure {
  private final RegionState region;

  /// Whether others may know of the section, by its record.
  private boolean exposed;

  /// What the section is known by; used again for later sections (RECORD-1). `null` until one is
  /// exposed.
  private SectionRecord record;

  /// Replaced with the section, since its record may keep the list.
  private List<SectionRecord> dependencies = List.of();

  SectionExposure(RegionState region) {
    this.region = region;
  }

  boolean isExposed() {
    return exposed;
  }

  /// The section takes its number now, even if it has stored nothing yet, because others will name
  /// it on media.
  SectionRecord expose(SectionLog log) {
    if (!exposed) {
      if (record == null) {
        record = new SectionRecord(region, log);
      }
      record.number = log.number();
      exposed = true;
    }
    return record;
  }

  /// From now on, and in the log, the section is durable only if another one is.
  ///
  /// @return whether that is new
  boolean dependOn(SectionRecord other, SectionLog log, long stamp) {
    if (dependencies.isEmpty()) {
      dependencies = new ArrayList<>();
    }
    boolean isNew = other != record && SectionRecord.add(dependencies, other);
    if (isNew) {
      log.dependOn(other.log, other.number, stamp);
    }
    return isNew;
  }

  List<SectionRecord> dependencies() {
    return dependencies;
  }

  void forgetDependencies() {
    dependencies = List.of();
  }

  /// Whether all sections that this one depends on are durable.
  boolean isSatisfied() {
    return SectionRecord.allDurable(dependencies);
  }

  /// @return whether it was rolled back ({@link SectionRecord#undo})
  boolean undo(Runnable rollback) {
    return record.undo(rollback);
  }

  /// The section is durable by itself.
  void becameDurable(GroupCommit groupCommit) {
    if (exposed && record.becameDurable()) {
      groupCommit.ended(retire());
    }
  }

  /// The section, which is exposed, has to wait.
  SectionRecord end(FollowUps followUps) {
    SectionRecord ending = retire();
    ending.dependencies = dependencies;
    followUps.handOver(ending);
    return ending;
  }

  /// The section is over.
  void end() {
    exposed = false;
    forgetDependencies();
  }

  /// Leaves the record to those who hold it.
  ///
  /// @return it, or `null` if nobody can know of this section
  SectionRecord retire() {
    SectionRecord retired = record;
    if (retired == null) {
      return null;
    }
    record = null;
    retired.retired = true;
    return exposed ? retired : null;
  }
}
