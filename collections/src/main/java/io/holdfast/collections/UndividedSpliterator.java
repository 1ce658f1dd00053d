package io.holdfast.collections;

import io.holdfast.core.section.Sections;
import java.util.Spliterator;
import java.util.function.Consumer;

/// Gives nothing away while its thread holds changes back, of which no other thread knows: then a
/// parallel stream runs in that thread. Else as what it is made of, which is not sorted.
record UndividedSpliterator<T>(Spliterator<T> elements, Sections sections)
    implements Spliterator<T> {
  @Override
  public Spliterator<T> trySplit() {
    return sections.heldBack() == null ? elements.trySplit() : null;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    return elements.tryAdvance(action);
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    elements.forEachRemaining(action);
  }

  @Override
  public long estimateSize() {
    return elements.estimateSize();
  }

  @Override
  public int characteristics() {
    return elements.characteristics();
  }
}
