package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import another.Library;
import io.holdfast.core.RegionAccessException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// FAULT-3: a page that is missing to another library is none of the store's.
final class AnothersFaultTest {
  @TempDir private Path directory;
  private Library library;

  @BeforeEach
  void truncate() throws Exception {
    library = new Library(directory.resolve("another's"));
  }

  @Test
  void aStoreWhoseFileIsWholeGoesOn() {
    Path file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      Queue<String> queue = store.queue("q", String.class);
      Map<Long, Long> map = store.hashMap("m", Long.class, Long.class);
      Map<Long, Long> tree = store.treeMap("t", Long.class, Long.class);
      assertThatThrownBy(
              () ->
                  store.atomically(
                      () -> {
                        queue.add("before");
                        library.read();
                      }))
          .isInstanceOf(InternalError.class);
      assertThatThrownBy(() -> store.atomically(() -> (Object) library.read()))
          .isInstanceOf(InternalError.class);
      assertThatThrownBy(() -> map.compute(1L, (key, value) -> (long) library.read()))
          .isInstanceOf(InternalError.class);
      assertThatThrownBy(() -> tree.compute(1L, (key, value) -> (long) library.read()))
          .isInstanceOf(InternalError.class);
      queue.add("behind");
      map.put(1L, 2L);
      tree.put(1L, 2L);
      assertThat(queue).containsExactly("before", "behind"); // an error leaves what was stored
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("q", String.class)).hasSize(2);
      assertThat(store.treeMap("t", Long.class, Long.class)).containsEntry(1L, 2L);
    }
  }

  @Test
  void aStoreWhoseFileIsShorterLatches() throws Exception {
    Path file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      Queue<String> queue = store.queue("q", String.class);
      try (RandomAccessFile other = new RandomAccessFile(file.toFile(), "rw")) {
        other.setLength(other.length() - 4096);
      }
      assertThatThrownBy(() -> store.atomically(() -> (Object) library.read()))
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("was truncated by another program");
      assertThatThrownBy(() -> queue.add("x")).isInstanceOf(RegionAccessException.class);
    }
  }
}
