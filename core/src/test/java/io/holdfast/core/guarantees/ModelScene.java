package io.holdfast.core.guarantees;

import io.holdfast.testkit.Interleavings.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A scene in plain memory, for one thread after the other: locks are nothing to it.
class ModelScene implements Scene {
  private final long[] words = new long[NUMBERS + POINTERS];
  private final List<Long> blocks = new ArrayList<>();
  private final Map<String, Long> transients = new HashMap<>();

  /// Takes a step.
  void run(Step<Scene> step) {
    try {
      step.action().run(this);
    } catch (Exception e) {
      throw new IllegalStateException("a step that the model can't take: " + step.name(), e);
    }
  }

  @Override
  public void acquire(Object lock) {
    // nobody else is here
  }

  @Override
  public void release(Object lock) {
    // nobody else is here
  }

  @Override
  public void observe(Object key) {
    // nobody else is here
  }

  @Override
  public void enter() {
    // nothing is cut off
  }

  @Override
  public void exit() {
    // nothing is cut off
  }

  @Override
  public long read(int word) {
    return words[word];
  }

  @Override
  public void write(int word, long value) {
    words[word] = value;
  }

  @Override
  public long allocate() {
    blocks.add(-1L); // arbitrary
    return blocks.size();
  }

  @Override
  public void fill(long block, long number) {
    blocks.set((int) block - 1, number);
  }

  @Override
  public Map<String, Long> transients() {
    return transients;
  }

  @Override
  public List<Long> visible() {
    List<Long> visible = new ArrayList<>();
    for (int word = 0; word < words.length; word++) {
      boolean number = word < NUMBERS || words[word] == 0;
      visible.add(number ? words[word] : blocks.get((int) words[word] - 1));
    }
    return visible;
  }
}
