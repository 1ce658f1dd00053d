package io.holdfast.collections.overlay;

import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;

/// What a section holds back that is no transaction: it runs once, and what it reads may change.
///
/// Confined to its thread.
public final class SectionOverlay extends HeldBack {
  /// Whether {@link #store} was called.
  private boolean isStoring;

  /// That of the section that the thread is in.
  public static SectionOverlay current(ThreadSections thread, Sections sections) {
    if (thread.heldBack() instanceof SectionOverlay found) {
      return found;
    }
    SectionOverlay made = new SectionOverlay();
    sections.holdBack(made);
    return made;
  }

  @Override
  public void store() {
    if (!isStoring) {
      isStoring = true;
      hold();
      storeLocked();
    }
  }

  @Override
  public void storeOpenly() {
    for (CollectionOverlay overlay : overlays()) {
      overlay.storeOpenly();
    }
  }
}
