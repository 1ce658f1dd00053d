package io.holdfast.core.section.watch;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What woven code was seen to do that is likely wrong, once for each place: in the log of
/// `io.holdfast`, by JFR ({@link FindingEvent}) and in {@link #report}.
///
/// Nothing is looked for before the agent has said so ({@link #begin}), at the first opening of a
/// store: until then each question costs one read of a static field.
///
/// What is found is found in hooks, which never throw, and under the program's locks. What logs may
/// be the program's own code, woven too: it runs in a thread of its own.
///
/// Thread-safe.
public final class Findings {
  /// More places than this are not told: some 2 MB are kept for them.
  private static final int TOLD_MAX = 1_000;

  /// Frames of a stack that are told.
  private static final int FRAMES_MAX = 32;

  /// What a program's own code is not in, besides {@link #FRONT_DOOR}.
  private static final List<String> OWN =
      List.of(
          "io.holdfast.core.",
          "io.holdfast.collections.",
          "io.holdfast.codec.",
          "java.",
          "javax.",
          "jdk.",
          "sun.");

  private static final String FRONT_DOOR = "io.holdfast.";

  private static final Set<Object> TOLD = ConcurrentHashMap.newKeySet();
  private static final ConcurrentLinkedQueue<String> REPORT = new ConcurrentLinkedQueue<>();

  /// Written once, before which nothing is looked for. Plain: a thread that sees it late finds
  /// less.
  private static boolean on;

  private static Predicate<String> isSilent = _ -> false;
  private static Supplier<String> woven = () -> "";

  /// What is looked for.
  public enum Kind {
    /// Two changes of stores, outside of sections, in one run of a method.
    CHANGES_OUTSIDE(
        "changes without a lock",
        "Each is a section of its own: after a crash some may have happened and others not. Do them"
            + " under one lock or in Holdfast.atomically"),
    /// A change of a store outside of sections while the thread holds a monitor.
    UNWOVEN_LOCK(
        "a change under a lock that is not woven",
        "The lock makes no section: the change is one of its own. Include the class that takes the"
            + " lock, or use Holdfast.atomically"),
    /// An exception leaves a section that has stored something.
    LEFT_BY_EXCEPTION(
        "a section left by an exception",
        "A lock undoes nothing: what the section stored before the exception stays, here and after"
            + " a crash. Holdfast.allOrNothing undoes it"),
    /// A call that may block for long, in a section that has stored something.
    BLOCKS(
        "a call that may block in a section",
        "The section has changed a store: that is not durable before it ends, nor is what others do"
            + " that depends on it. Make the call before the lock is taken"),
    /// A read of a collection without a lock that is held at all its changes.
    READ_WITHOUT_LOCK(
        "a read without the lock of the changes",
        "What it finds may be half of what a section does, and nothing that it reads besides needs"
            + " to be of the same moment. Read under the lock");

    private final String words;
    private final String advice;

    Kind(String words, String advice) {
      this.words = words;
      this.advice = advice;
    }
  }

  private record Told(Kind kind, StackTraceElement place, StackTraceElement other) {}

  /// From now on things are looked for.
  ///
  /// @param newWoven what the agent has woven so far, in words
  /// @param newIsSilent of a class's name, whether nothing is told of what its methods do
  public static void begin(Supplier<String> newWoven, Predicate<String> newIsSilent) {
    woven = newWoven;
    isSilent = newIsSilent;
    on = true;
  }

  /// Whether anything is looked for.
  public static boolean isOn() {
    return on;
  }

  /// What was woven, and what was found so far, each with its stack; empty if nothing is looked
  /// for.
  public static List<String> report() {
    List<String> lines = new ArrayList<>();
    if (on) {
      lines.add(woven.get());
      lines.addAll(REPORT);
    }
    return lines;
  }

  /// Tells of the place where the calling thread is. Never throws.
  public static void tell(Kind kind) {
    try {
      List<StackTraceElement> stack = stack();
      if (!stack.isEmpty()) {
        tell(kind, "", stack.getFirst(), null, stack);
      }
    } catch (RuntimeException | Error e) {
      // A hook can't throw, and the program is none the worse. No stack is left, as a rule; a place
      // with more of it is reported.
    }
  }

  /// @param what more exactly; empty if the kind says it all
  /// @param place it is told once for it and the other
  /// @param other `null` if there is no other
  static void tell(
      Kind kind,
      String what,
      StackTraceElement place,
      StackTraceElement other,
      List<StackTraceElement> stack) {
    if (TOLD.size() >= TOLD_MAX
        || isSilent.test(place.getClassName())
        || !TOLD.add(new Told(kind, place, other))) {
      return;
    }
    FindingEvent event = new FindingEvent();
    if (event.shouldCommit()) {
      event.kind = kind.words;
      event.what = what;
      event.commit();
    }
    String message =
        "%s%s. %s. The thread is here:%s"
            .formatted(
                kind.words,
                what.isEmpty() ? "" : ": " + what,
                kind.advice,
                stack.stream()
                    .limit(FRAMES_MAX)
                    .map(frame -> System.lineSeparator() + "\tat " + frame)
                    .collect(Collectors.joining()));
    REPORT.add(message);
    Thread.ofVirtual()
        .name("holdfast-warning")
        .start(() -> System.getLogger("io.holdfast").log(Level.WARNING, message));
  }

  /// The calling thread's, from the program's code on; empty if there is none of it.
  static List<StackTraceElement> stack() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .dropWhile(frame -> isOwn(frame.getClassName()))
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .toList());
  }

  /// Whether a class is Holdfast's or the JDK's.
  static boolean isOwn(String className) {
    return OWN.stream().anyMatch(className::startsWith)
        || className.startsWith(FRONT_DOOR) && className.indexOf('.', FRONT_DOOR.length()) < 0;
  }

  private Findings() {}
}
