package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// Stores to one element of an array after the other, each in a critical section of its own (Atlas,
/// 6.2, `PersistentArrayfa`). One thread. An operation is a store.
///
/// | word | what |
/// |---|---|
/// | i | element i: how often it was stored |
///
/// **ARRAY-1** Elements were stored up to some place as often as the first, after it once less.
///
/// The paper's critical section has no lock; here it is a monitor, which the program has with and
/// without durability. The paper's other variants, stores outside of all sections, are not
/// measured.
public final class ArrayStores extends Program {
  private final Object lock = new Object();
  private final int length;
  private final long array;
  private int next;

  /// @param length elements
  public ArrayStores(ProgramMemory memory, int length) {
    super(memory);
    this.length = length;
    this.array = memory.root(length * Long.BYTES);
    while (next < length && element(next) == element(0)) {
      next++;
    }
    next %= length;
  }

  private long element(int index) {
    return memory.read(array + (long) index * Long.BYTES);
  }

  @Override
  public int threads() {
    return 1;
  }

  @Override
  public void run(int thread, int operations) {
    for (int i = 0; i < operations; i++) {
      storeNext();
    }
  }

  /// Stores to the next element; the first follows the last.
  @CompilerControl(Mode.DONT_INLINE)
  public void storeNext() {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        memory.write(array + (long) next * Long.BYTES, element(next) + 1);
      } finally {
        memory.releasing(lock);
      }
      next = next + 1 == length ? 0 : next + 1;
    }
  }

  @Override
  public List<Long> content() {
    List<Long> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      long lag = element(0) - element(i);
      require(
          lag >= 0 && lag <= 1 && (i == 0 || element(i) <= element(i - 1)),
          "ARRAY-1: element=%d, stored=%d times, the first=%d times",
          i,
          element(i),
          element(0));
      elements.add(element(i));
    }
    return elements;
  }

  @Override
  public int blocks() {
    return 1;
  }
}
