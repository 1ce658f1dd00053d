package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.codec.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ROOT-6: names that UTF-8 can't hold are refused, and files in which an earlier version stored
/// two roots by one name open.
///
/// The golden file was written by such a version, in two runs: each opened the queue `orders` with
/// half of a surrogate pair after it; the second one also a hash map and a tree map, both `a` and
/// different halves, and a queue that is really called `orders? (2)`. Its third run was refused.
class DoubledNamesTest {
  private static final String HALF = "\uD800";

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("shop.hf");
  }

  private Holdfast golden() throws IOException {
    try (InputStream compressed =
            DoubledNamesTest.class.getResourceAsStream("/golden/format-1/doubled-names.hf.gz");
        InputStream bytes = new GZIPInputStream(compressed)) {
      Files.copy(bytes, file);
    }
    return Holdfast.open(file);
  }

  private static List<String> names(Holdfast store) {
    return store.roots().stream().map(NamedRoot::name).toList();
  }

  @Test
  void root6WhatUtf8CannotHoldIsRefused() {
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("ord" + HALF + "ers", String.class))
          .withMessage(
              file
                  + ": a root's name has half of a surrogate pair, which UTF-8 can't hold:"
                  + " found=\\uD800, index=3. Use another one; what an earlier version stored has a"
                  + " question mark there");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.hashMap("\uDC00" + HALF, String.class, String.class));
      store.queue("orders", String.class).add("kept");
      assertThatIllegalArgumentException().isThrownBy(() -> store.rename("orders", HALF));
      Codec<String> codec = Codec.of(String.class);
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> store.treeMap("t", codec, codec, "by" + HALF, Comparator.naturalOrder()))
          .withMessageContaining("a root's fingerprint has half of a surrogate pair")
          .withMessageContaining("found=\\uD800");
      assertThat(store.delete("orders" + HALF)).isFalse();
      store.queue("\uD83D\uDE00", String.class).add("a pair");
      assertThat(names(store)).containsExactly("orders", "\uD83D\uDE00");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("orders", String.class)).containsExactly("kept");
      assertThat(store.queue("\uD83D\uDE00", String.class)).containsExactly("a pair");
    }
  }

  @Test
  void root6AFileWithDoubledNamesOpens() throws IOException {
    try (Holdfast store = golden()) {
      assertThat(names(store))
          .containsExactly("orders?", "counts", "orders? (3)", "a?", "a? (2)", "orders? (2)");
      assertThat(store.hashMap("counts", String.class, Integer.class)).isEqualTo(Map.of("runs", 2));
      assertThat(store.queue("orders?", String.class)).containsExactly("of run 1");
      assertThat(store.queue("orders? (3)", String.class)).containsExactly("of run 2");
      assertThat(store.queue("orders? (2)", String.class)).containsExactly("of this very name");
      assertThat(store.hashMap("a?", String.class, Integer.class)).isEqualTo(Map.of("first", 1));
      assertThat(store.treeMap("a? (2)", String.class, Integer.class))
          .isEqualTo(Map.of("second", 2));
    }
  }

  @Test
  void root6NamesAreTheSameInEveryLocale() throws IOException {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.of("ar", "EG")); // whose digits are its own
    try (Holdfast store = golden()) {
      assertThat(names(store)).contains("orders? (2)", "orders? (3)");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  @Test
  void root6DoubledNamesCanBeRenamedAndDeleted() throws IOException {
    Path backup = directory.resolve("backup.hf");
    try (Holdfast store = golden()) {
      store.rename("orders? (3)", "orders of the second run");
      assertThat(store.delete("a?")).isTrue();
      store.backup(backup);
    }
    for (Path each : List.of(file, backup)) {
      try (Holdfast store = Holdfast.open(each)) {
        assertThat(names(store))
            .containsExactly("orders?", "counts", "orders of the second run", "a?", "orders? (2)");
        assertThat(store.queue("orders of the second run", String.class))
            .containsExactly("of run 2");
        assertThat(store.treeMap("a?", String.class, Integer.class)).isEqualTo(Map.of("second", 2));
      }
    }
  }
}
