package io.holdfast;

import java.util.List;

/// What a store in use tells by JMX, under the name `io.holdfast:type=Store,path="…"`. It is there
/// from a second after the opening on, so that short programs don't start JMX, until the store is
/// closed.
///
/// Nothing is counted for it on any path of the store: what it tells is read when it is asked.
public interface StoreMXBean {
  /// Which collection, and how much has been done to it.
  ///
  /// @param entries how many it has; -1 if it is not open, or was never counted
  /// @param changes how many changes were made to it, from any beginning; -1 if it is not open
  record RootState(String name, String kind, long entries, long changes) {}

  /// A section that has stored something, or holds changes back, and has not ended.
  ///
  /// @param thread the name of its thread
  /// @param lock the class's name of the first lock that the thread holds; empty if it is not
  ///   known, or there is none
  /// @param openMillis for how long it has been open at least; -1 if it is younger than the watch's
  ///   look, a second or less
  record OpenSectionState(String thread, String lock, long openMillis) {}

  /// Sections that have ended and wait for others, which are open. They are not durable, `sync()`
  /// waits for them, and their logs make the file longer.
  ///
  /// @param sections how many wait, 0 as a rule
  /// @param longestMillis how long the oldest of them has waited
  /// @param blocker the name of the thread whose open section most of the oldest 5,000 wait for;
  ///   empty if nothing waits
  /// @param blockerLock the class's name of the first lock that this thread holds; empty if it is
  ///   not known, or there is none
  /// @param waiters how many of the oldest 5,000 wait for it
  record WaitingState(
      long sections, long longestMillis, String blocker, String blockerLock, long waiters) {}

  /// How far a job has come, as {@link Job.Progress}.
  ///
  /// @param state as a text
  /// @param sinceCutMillis since its last cut, or since it was called first
  record JobState(
      String name, String state, boolean finished, long cuts, long changes, long sinceCutMillis) {}

  /// The file.
  String getPath();

  /// The region's identity.
  String getIdentity();

  /// The failure that the store was opened to survive.
  String getDurability();

  /// What opening found and did.
  String getRecovery();

  /// Bytes of the region.
  long getLengthBytes();

  /// Sections that took a log and became durable, since the region was made. One that consists of a
  /// single store takes none.
  long getSectionsDurable();

  /// What the agent has woven so far, and what woven code of the process was seen to do that is
  /// likely wrong, once for each place, with its stack. Empty without the agent.
  List<String> getAgentReport();

  /// Sections that are open.
  List<OpenSectionState> getSectionsOpen();

  /// Sections that have ended and wait.
  WaitingState getSectionsWaiting();

  /// How often a section came to depend on another one that was not durable, since the opening.
  long getDependencies();

  /// As {@link Holdfast#transactions}.
  long getTransactionsCommitted();

  /// As {@link Holdfast#transactions}.
  long getTransactionsAborted();

  /// As {@link Holdfast#persistence}.
  long getFlushes();

  /// As {@link Holdfast#persistence}.
  long getFences();

  /// As {@link Holdfast#persistence}.
  long getLinesWrittenBack();

  /// Calls of resumables that were accepted and are not finished, as {@link Holdfast#unfinished}.
  long getUnfinishedCalls();

  /// The jobs, running or not, finished or not, as {@link Holdfast#jobs}.
  List<JobState> getJobs();

  /// The collections.
  List<RootState> getRoots();

  /// What a backup took, as {@link BackupReport}.
  record BackupState(
      String file, long bytes, long copied, int rounds, long heldMicros, long millis) {}

  /// As {@link Holdfast#backup(java.nio.file.Path, long)}.
  ///
  /// Whoever may call operations of this JVM's beans can so have a file made in any directory that
  /// the user of the JVM may write to: a new one, of the store's length and permissions, under a
  /// name of the caller's choice, with `NAME.part` and `NAME.part.lock` beside it for a while. No
  /// file is replaced or changed; of earlier ones, parts alone that a killed backup has left are
  /// deleted. To allow less, give the JMX user read access only.
  ///
  /// @param to an absolute path on the machine of the store
  /// @throws IllegalArgumentException if the path is relative: the caller does not know to what
  BackupState backup(String to, long bytesPerSecond);
}
