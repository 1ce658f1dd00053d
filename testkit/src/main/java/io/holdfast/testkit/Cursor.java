package io.holdfast.testkit;

import io.holdfast.testkit.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/// Moves the bytes of an image from one cut to another, by doing and undoing what differs.
final class Cursor {
  final RecordingMemory image;
  final List<Event> events;
  int prefix;
  private int[] early = {};
  private int[] lost = {};
  private long lengthBefore = -1;

  Cursor(RecordingMemory image, List<Event> events) {
    this.image = image;
    this.events = events;
  }

  void moveTo(Cut cut) {
    for (int i = early.length - 1; i >= 0; i--) {
      image.undo(events.get(early[i]));
    }
    if (lengthBefore >= 0) {
      image.setLength(lengthBefore);
      lengthBefore = -1;
    }
    for (int index : lost) {
      image.redo(events.get(index));
    }
    while (prefix < cut.prefix()) {
      image.redo(events.get(prefix++));
    }
    while (prefix > cut.prefix()) {
      image.undo(events.get(--prefix));
    }
    lost = cut.lost();
    for (int i = lost.length - 1; i >= 0; i--) {
      image.undo(events.get(lost[i]));
    }
    early = cut.early();
    for (int index : early) {
      image.redo(events.get(index));
    }
    if (cut.partialLength() >= 0) {
      lengthBefore = image.length();
      image.setLength(cut.partialLength());
    }
  }

  /// Where in the body the prefix ends.
  CrashPoint point() {
    int acknowledged = 0;
    String inFlight = null;
    List<String> notes = new ArrayList<>();
    for (Event event : events.subList(0, prefix)) {
      if (event.kind() == Kind.STEP_BEGINS) {
        inFlight = event.what();
      } else if (event.kind() == Kind.STEP_ENDS) {
        acknowledged++;
        inFlight = null;
      } else if (event.kind() == Kind.NOTE) {
        notes.add(event.what());
      }
    }
    return new CrashPoint(acknowledged, inFlight, List.copyOf(notes));
  }
}
