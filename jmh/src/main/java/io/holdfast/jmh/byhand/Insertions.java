package io.holdfast.jmh.byhand;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// A list that elements are inserted into, at its beginning, starting with none (Atlas, 6.3, Figure
/// 7(c)). Nodes lie one after the other, so that the allocation of blocks is no part of the
/// comparison. This one leaves it to chance what a crash leaves.
///
/// | | word 0 | word 1 | word 2 |
/// |---|---|---|---|
/// | first line | the first node | how many nodes there are | |
/// | node, half a line | its element | the next node | by hand alone: nodes from here on |
///
/// For one thread.
public class Insertions {
  static final int LENGTH = 8;
  static final int NEXT = 8;
  static final int NODE_BYTES = 32;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final Area area;

  Insertions(Area area) {
    this.area = area;
  }

  /// What an area for so many elements takes.
  public static long areaBytes(int elements) {
    return RegionLayout.LINE_BYTES + (long) elements * NODE_BYTES;
  }

  /// The list of an area, as it was left.
  public static Insertions in(Area area, Way way) {
    return switch (way) {
      case TRANSIENT -> new Insertions(area);
      case STORES -> new ByStores(area);
      case RANGES -> new ByRanges(area);
      case BY_HAND -> new PublishedInsertions(area);
    };
  }

  public void insert(long element) {
    Memory memory = area.memory;
    long length = length();
    long node = node(length);
    memory.writePlain(node, element);
    memory.writePlain(node + NEXT, first());
    memory.writePlain(area.at, node);
    memory.writePlain(area.at + LENGTH, length + 1);
  }

  /// Removes all elements, for measurements: not atomic.
  public final void clear() {
    area.memory.writePlain(area.at, 0);
    area.memory.writePlain(area.at + LENGTH, 0);
    area.persist(area.at, RegionLayout.LINE_BYTES);
  }

  long length() {
    return area.memory.readPlain(area.at + LENGTH);
  }

  final long first() {
    return area.memory.readPlain(area.at);
  }

  /// The place of a node.
  final long node(long number) {
    return area.at + RegionLayout.LINE_BYTES + number * NODE_BYTES;
  }

  /// The elements, the newest first.
  ///
  /// @throws IllegalStateException if there are not as many as the list says
  public final List<Long> content() {
    List<Long> elements = new ArrayList<>();
    for (long node = first(); node != 0; node = area.memory.readPlain(node + NEXT)) {
      elements.add(area.memory.readPlain(node));
    }
    if (elements.size() != length()) {
      throw new IllegalStateException("nodes=%d, length=%d".formatted(elements.size(), length()));
    }
    return elements;
  }

  private static final class ByStores extends Insertions {
    ByStores(Area area) {
      super(area);
    }

    @Override
    public void insert(long element) {
      area.section(
          () -> {
            Section section = area.region().sections().current();
            long length = length();
            long node = node(length);
            section.write(node, element);
            section.write(node + NEXT, first());
            section.write(area.at, node);
            section.write(area.at + LENGTH, length + 1);
          });
    }
  }

  /// What nobody finds yet is stored without the section, the two words of the list by one store.
  private static final class ByRanges extends Insertions {
    private final byte[] words = new byte[2 * Long.BYTES];

    ByRanges(Area area) {
      super(area);
    }

    @Override
    public void insert(long element) {
      area.section(
          () -> {
            long length = length();
            long node = node(length);
            area.memory.writePlain(node, element);
            area.memory.writePlain(node + NEXT, first());
            WORDS.set(words, 0, node);
            WORDS.set(words, LENGTH, length + 1);
            area.region().sections().current().copy(area.at, words, 0, words.length);
          });
    }
  }
}
