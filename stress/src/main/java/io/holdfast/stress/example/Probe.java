package io.holdfast.stress.example;

import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayDeque;

/// A queue in memory that notes whether it was changed in a section.
final class Probe<E> extends ArrayDeque<E> {
  private static final long serialVersionUID = 1;

  private boolean inSection;

  @Override
  public boolean add(E element) {
    inSection = SectionHooks.inSection();
    return super.add(element);
  }

  /// Whether the last addition was in a section.
  boolean wasInSection() {
    return inSection;
  }
}
