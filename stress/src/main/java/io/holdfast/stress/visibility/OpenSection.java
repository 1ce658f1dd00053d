package io.holdfast.stress.visibility;

import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.stress.publication.Mark;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.III_Result;

/// Woven code: a section that shows something to others before its end, and who sees it, and then
/// has everything synced that it goes on from.
///
/// To `sync`, the section is one that somebody saw something of, and so an uncommitted release; it
/// may be noticed only if the hooks of both threads agree on it, whatever comes between their
/// steps.
@Outcome(id = "0, 0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the release.")
@Outcome(
    id = "1, 1, 1",
    expect = Expect.ACCEPTABLE,
    desc = "After it: with what was before it, and synced after the section's end.")
@Outcome(
    expect = Expect.FORBIDDEN,
    desc = "Without what was before the release, or synced while the section was open.")
abstract class OpenSection {
  private final Object outer = new Object();
  private final Mark ended = new Mark();
  private final SectionStore.Place place = SectionStore.place();
  private int before;

  OpenSection() {
    synchronized (outer) {
      if (!SectionHooks.inSection()) {
        throw new IllegalStateException("run it by ./holdfast stress jcstress: not woven");
      }
    }
  }

  final void inSection() {
    synchronized (outer) {
      place.put();
      before = 1;
      release();
      place.putAgain(); // the section goes on for a while
      ended.set();
    }
  }

  final void look(III_Result result) {
    result.r1 = acquire();
    result.r2 = result.r1 == 0 ? 0 : before;
    SectionStore.sync();
    result.r3 = ended.get();
  }

  final void forget() {
    place.remove();
  }

  /// Shows it, in the middle of the section.
  abstract void release();

  /// 1 if it is shown.
  abstract int acquire();
}
