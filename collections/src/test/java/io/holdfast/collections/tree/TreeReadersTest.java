package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A reader that takes no lock, and between any two of whose reads others change what it reads
/// (TREE-5).
class TreeReadersTest {
  private static final int READS = 40;

  /// Runs something that reads, and at its n-th read something else.
  private static <T> T amid(HookedMemory memory, int read, Supplier<T> reads, Runnable other) {
    int[] count = new int[1];
    boolean[] busy = new boolean[1];
    memory.beforeEachRead(
        () -> {
          if (!busy[0] && count[0]++ == read) {
            busy[0] = true;
            other.run();
            busy[0] = false;
          }
        });
    try {
      return reads.get();
    } finally {
      memory.beforeEachRead(() -> {});
    }
  }

  private static String value(int number) {
    return text("%04d".formatted(number), 300);
  }

  /// The leaf is written anew under the reader, several times, and its block used again.
  @Test
  void tree5ALeafThatIsReplaced() {
    for (int read = 0; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (TreeRegion store = TreeRegion.open(memory).create().fill(0, 5)) {
        store.put("k", value(0));
        String found =
            amid(
                memory,
                read,
                () -> store.get("k"),
                () -> {
                  for (int i = 1; i < 20; i++) {
                    store.put("k", value(i));
                  }
                });
        assertThat(found).as("others at read %d", read).isIn(value(0), value(19));
      }
    }
  }

  /// Leaves and the nodes above them are split, and merged again.
  @Test
  void tree5NodesThatAreSplit() {
    for (int read = 0; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (TreeRegion store = TreeRegion.open(memory).create().fill(1000, 1100)) {
        Runnable others =
            () -> {
              store.fill(0, 300);
              store.fill(1100, 1300);
              for (int i = 0; i < 250; i++) {
                store.remove(store.key(i));
              }
            };
        String found = amid(memory, read, () -> store.get(store.key(1050)), others);
        assertThat(found).as("others at read %d", read).isEqualTo("v0001050");
        assertThat(store.tree().validate()).isEqualTo(store.tree().size());
      }
    }
  }

  /// A key's neighbours while the leaf between them goes.
  @Test
  void tree5NeighboursBeyondALeaf() {
    for (int read = 0; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (TreeRegion store = TreeRegion.open(memory).create().fill(0, 200)) {
        for (int i = 61; i < 199; i++) {
          store.remove(store.key(i));
        }
        Runnable others = () -> store.remove(store.key(60));
        var found =
            amid(
                memory,
                read,
                () -> store.tree().nearest(TreeRegion.encoded(store.key(60)), false, true),
                others);
        assertThat(TreeRegion.text(found.key())).as("at read %d", read).isEqualTo("key00199");
      }
    }
  }

  /// A walk goes on beside its leaf when the nodes there were split, or while they are.
  @Test
  void tree5AWalkBesideALeafThatIsSplit() {
    for (int read = -1; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (TreeRegion store = TreeRegion.open(memory).create()) {
        for (int i = 0; i < 1000; i += 10) {
          store.fill(i, i + 1);
        }
        TreeWalk walk = store.tree().walk(true);
        List<String> found = new ArrayList<>();
        for (EncodedEntry entry : walk.from(null, true)) {
          found.add(TreeRegion.text(entry.key()));
        }
        Runnable others =
            () -> {
              for (int i = 0; i < 1000; i++) {
                if (i % 10 != 0) {
                  store.fill(i, i + 1);
                }
              }
            };
        if (read < 0) {
          others.run();
        }
        for (LeafEntries page = amid(memory, read, walk::next, others);
            page != null;
            page = walk.next()) {
          page.forEach(entry -> found.add(TreeRegion.text(entry.key())));
        }
        assertThat(found)
            .as("others at read %d", read)
            .isSorted()
            .doesNotHaveDuplicates()
            .containsAll(IntStream.range(0, 100).mapToObj(i -> store.key(10 * i)).toList());
      }
    }
  }
}
