package io.holdfast.stress.demo;

import io.holdfast.Holdfast;

/// A fault: lines are moved without a section.
public final class BareLines extends LineWorkload {
  @Override
  public String name() {
    return "bare";
  }

  @Override
  synchronized void feed(Holdfast store, Pipe to, Text from) {
    to.feed(from);
  }

  @Override
  synchronized Line move(Holdfast store, Pipe through) {
    return through.move();
  }
}
