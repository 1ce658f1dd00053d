package io.holdfast.core.explorer;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// Something that happened to a recorded memory.
///
/// @param at store: offset of the word; growth: length before
/// @param before store: the word's bytes under the mask before it
/// @param after store: the bytes under the mask; growth: length after
/// @param mask store: the bits of the word that were stored
/// @param what step: its name
/// @param trace who did it; `null` unless asked for
record Event(
    Kind kind,
    long at,
    long before,
    long after,
    long mask,
    String what,
    StackTraceElement[] trace) {

  enum Kind {
    /// A plain store.
    PLAIN,
    /// A release store.
    RELEASE,
    /// A release fence.
    FENCE,
    /// The file became longer.
    GROWTH,
    /// A step of the body begins.
    STEP_BEGINS,
    /// A step of the body returned: it is acknowledged.
    STEP_ENDS
  }

  private static final int FRAMES_SHOWN = 6;

  static Event mark(Kind kind, String what) {
    return new Event(kind, 0, 0, 0, 0, what, null);
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
        && Objects.equals(what, other.what);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, at, before, after, mask, what);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case PLAIN, RELEASE ->
          "%-7s 0x%X: 0x%X -> 0x%X%s"
              .formatted(kind, at, before, after, mask == -1 ? "" : " mask 0x%X".formatted(mask));
      case FENCE -> "FENCE";
      case GROWTH -> "GROWTH  %d -> %d bytes".formatted(at, after);
      case STEP_BEGINS, STEP_ENDS -> kind + " " + what;
    };
  }

  /// With the frames of Holdfast's own code.
  String withTrace() {
    if (trace == null) {
      return toString();
    }
    List<StackTraceElement> own =
        Arrays.stream(trace)
            .filter(frame -> frame.getClassName().startsWith("io.holdfast"))
            .filter(frame -> !frame.getClassName().startsWith("io.holdfast.core.explorer"))
            .limit(FRAMES_SHOWN)
            .toList();
    return this + own.stream().map(frame -> "\n        at " + frame).collect(Collectors.joining());
  }
}
