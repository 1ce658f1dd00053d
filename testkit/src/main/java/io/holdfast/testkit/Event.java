package io.holdfast.testkit;

import io.holdfast.core.memory.OrderedMemory;
import io.holdfast.core.memory.RegionLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Something that happened to a recorded memory.
///
/// @param at store: offset of the word; flush: of the first line; growth, truncation: length before
/// @param before store: the word's bytes under the mask before it
/// @param after store: the bytes under the mask; flush: end of the last line; growth, truncation:
///   length after
/// @param mask store: the bits of the word that were stored
/// @param what step: its name; flush and fence: the thread
/// @param trace who did it; `null` unless asked for
/// @param cutOff truncation: the bytes that the file lost; else `null`
record Event(
    Kind kind,
    long at,
    long before,
    long after,
    long mask,
    String what,
    StackTraceElement[] trace,
    byte[] cutOff) {

  enum Kind {
    /// A plain store.
    PLAIN,
    /// A release store.
    RELEASE,
    /// A release fence: orders stores, waits for nothing.
    RELEASE_FENCE,
    /// The write-back of some lines was started.
    FLUSH,
    /// A thread waited for the write-backs that it had started.
    FENCE,
    /// The file became longer, by zeros.
    GROWTH,
    /// The file became shorter.
    TRUNCATION,
    /// A step of the body begins.
    STEP_BEGINS,
    /// A step of the body returned: it is acknowledged.
    STEP_ENDS,
    /// The body noted something in the middle of a step; nothing moves across it.
    NOTE
  }

  /// What an ordered memory holds back and flushes by.
  private static final Set<String> FLUSHERS =
      Stream.of(
              "PostedMemory",
              "HeldView",
              "HeldStores",
              "ThreadStores",
              "DirtyLines",
              "LineSet",
              "WriteBacks")
          .map(name -> OrderedMemory.class.getPackageName() + "." + name)
          .collect(Collectors.toSet());

  /// By their names: what is recorded does not depend on who explores it.
  private static final String EXPLORER = Event.class.getPackageName() + ".CrashExplorer";

  private static final String SCRIPT = Event.class.getPackageName() + ".Script";

  private static final int INNERMOST_SHOWN = 5, OUTERMOST_SHOWN = 2;

  static Event mark(Kind kind, String what) {
    return new Event(kind, 0, 0, 0, 0, what, null, null);
  }

  static Event growth(long before, long after) {
    return new Event(Kind.GROWTH, before, 0, after, 0, null, null, null);
  }

  static Event truncation(long before, long after, byte[] cutOff) {
    return new Event(Kind.TRUNCATION, before, 0, after, 0, null, null, cutOff);
  }

  /// The line of a store.
  long line() {
    return at & -RegionLayout.LINE_BYTES;
  }

  boolean isStore() {
    return kind == Kind.PLAIN || kind == Kind.RELEASE;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Event other
        && kind == other.kind
        && at == other.at
        && before == other.before
        && after == other.after
        && mask == other.mask
        && Objects.equals(what, other.what)
        && Arrays.equals(cutOff, other.cutOff);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, at, before, after, mask, what, Arrays.hashCode(cutOff));
  }

  @Override
  public String toString() {
    return switch (kind) {
      case PLAIN, RELEASE ->
          "%-7s 0x%X: 0x%X -> 0x%X%s"
              .formatted(kind, at, before, after, mask == -1 ? "" : " mask 0x%X".formatted(mask));
      case RELEASE_FENCE -> "RELEASE_FENCE";
      case FLUSH ->
          "FLUSH   line 0x%X%s"
              .formatted(at, lines() == 1 ? "" : " and %d more".formatted(lines() - 1));
      case FENCE -> "FENCE";
      case GROWTH, TRUNCATION -> "%s  %d -> %d bytes".formatted(kind, at, after);
      case STEP_BEGINS, STEP_ENDS, NOTE -> kind + " " + what;
    };
  }

  private long lines() {
    return (after - at) / RegionLayout.LINE_BYTES;
  }

  /// With the frames that led to it: the innermost, and those of the step.
  String withTrace() {
    if (trace == null) {
      return toString();
    }
    List<StackTraceElement> own =
        Arrays.stream(trace)
            .takeWhile(frame -> !frame.getClassName().equals(Baton.class.getName()))
            .filter(frame -> !isMachinery(frame.getClassName()))
            .toList();
    int inner = Math.min(own.size(), INNERMOST_SHOWN);
    int outer = Math.max(inner, own.size() - OUTERMOST_SHOWN);
    return this
        + shown(own.subList(0, inner))
        + (outer > inner ? "\n        ..." : "")
        + shown(own.subList(outer, own.size()));
  }

  private static String shown(List<StackTraceElement> frames) {
    return frames.stream().map(frame -> "\n        at " + frame).collect(Collectors.joining());
  }

  /// What is on the stack at every store, and tells nothing about it.
  private static boolean isMachinery(String type) {
    return type.startsWith("java.")
        || type.equals(RecordingMemory.class.getName())
        || type.equals(OrderedMemory.class.getName())
        || FLUSHERS.contains(type)
        || type.startsWith(OrderedMemory.class.getPackageName()) && type.contains("Flush")
        || type.startsWith(EXPLORER)
        || type.startsWith(SCRIPT);
  }
}
