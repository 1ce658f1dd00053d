package io.holdfast.recovery.cli;

import io.holdfast.core.recovery.RecoveryPlan.PlannedSection;
import io.holdfast.core.recovery.Verdict.Standing;
import io.holdfast.core.section.watch.BlackBox;
import io.holdfast.core.section.watch.BlackBox.Note;
import io.holdfast.recovery.RegionView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What each thread's open section had done when the process died: its stores, from its log, and
/// what the black box has of it, if it was open for a second or so.
final class LastCrash {
  private LastCrash() {}

  static Facts facts(RegionView view, long entriesMax) {
    List<PlannedSection> open =
        view.plan().logs().stream()
            .flatMap(log -> log.sections().stream())
            .filter(section -> section.row().standing() == Standing.OPEN)
            .toList();
    List<Note> notes = BlackBox.read(view.untouched());
    StoreFacts stores = new StoreFacts(view, open, entriesMax);
    Facts facts = new Facts().put("file", view.path()).put("openSections", open.size());
    List<Facts> rows = new ArrayList<>();
    for (PlannedSection section : open) {
      rows.add(facts(section, note(notes, section)));
    }
    facts.put("sections", rows);
    for (PlannedSection section : open) {
      facts.put("stores" + StoreFacts.name(section), stores.rowsByRoot(section));
      Note note = note(notes, section);
      if (note != null && !note.stack().isEmpty()) {
        facts.put(
            "stack" + StoreFacts.name(section),
            note.stack().lines().map(frame -> new Facts().put("frame", frame)).toList());
      }
    }
    return facts;
  }

  private static Note note(List<Note> notes, PlannedSection section) {
    return notes.stream()
        .filter(
            note ->
                note.slot() == section.name().slot() && note.number() == section.name().number())
        .findFirst()
        .orElse(null);
  }

  private static Facts facts(PlannedSection section, Note note) {
    return new Facts()
        .put("section", StoreFacts.name(section))
        .put("thread", note == null ? null : note.thread())
        .put("since", note == null ? null : note.since())
        .put("openForAtLeast", note == null ? null : Duration.between(note.since(), note.seen()))
        .put("lock", note == null || note.lock().isEmpty() ? null : note.lock())
        .put("entries", section.entries());
  }
}
