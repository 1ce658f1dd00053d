package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import org.junit.jupiter.api.Test;

/// Errors of the JVM in the middle of a change of the header.
class RegionHeaderTest {
  /// At one of its stores the stack ends.
  private static final class EndingMemory extends ForwardingMemory {
    private int storesLeft = Integer.MAX_VALUE;

    EndingMemory() {
      super(new SparseMemory(1 << 30));
    }

    /// As a mapped one.
    @Override
    public void grow(long newLength) {
      assertThat(newLength).isGreaterThan(length());
      super.grow(newLength);
    }

    private void beforeStore() {
      if (storesLeft-- == 0) {
        throw new StackOverflowError("injected");
      }
    }

    @Override
    public void writePlain(long offset, long value) {
      beforeStore();
      super.writePlain(offset, value);
    }

    @Override
    public void writeRelease(long offset, long value) {
      beforeStore();
      super.writeRelease(offset, value);
    }

    @Override
    public void zeroPlain(long offset, long count) {
      beforeStore();
      super.zeroPlain(offset, count);
    }

    /// Has a region grow.
    ///
    /// @return whether it could
    boolean grow(Region region, int stores) {
      storesLeft = stores;
      try {
        assertThat(region.heap().hasRoom(length())).isTrue();
        return true;
      } catch (StackOverflowError e) {
        return false;
      } finally {
        storesLeft = Integer.MAX_VALUE;
      }
    }
  }

  /// HEADER-1, LENGTH-1.
  @Test
  void header1AnErrorInTheMiddle() {
    boolean isOver = false;
    for (int first = 0; !isOver; first++) {
      boolean isOverAgain = false;
      for (int second = 0; !isOverAgain; second++) {
        EndingMemory memory = new EndingMemory();
        try (Region region = Words.open(memory)) {
          isOver = memory.grow(region, first);
          isOverAgain = memory.grow(region, second);
          RegionHeader.read(memory); // as after a kill there
          long[] block = new long[1];
          Words.atomically(() -> block[0] = region.heap().allocate(4 * SPAN_BYTES));
          assertThat(RegionHeader.read(memory).length())
              .as("the length on media, after errors at stores %d and %d", first, second)
              .isGreaterThanOrEqualTo(block[0] + 4 * SPAN_BYTES);
        }
      }
    }
  }
}
