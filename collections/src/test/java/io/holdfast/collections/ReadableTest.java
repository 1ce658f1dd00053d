package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Codecs with a fault: what they can't read is not stored, and what they can't read any more can
/// be passed over, moved out and dropped (READABLE-1).
@Timeout(60)
class ReadableTest {
  @TempDir Path directory;
  private Path file;
  private Holdfast store;

  @BeforeEach
  void open() {
    file = directory.resolve("shop.hf").toAbsolutePath();
    store = Holdfast.open(file);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Texts, by what may be changed: how they are written, and how they are read.
  private static final class Texts implements Codec<String> {
    private UnaryOperator<String> writing = text -> text;
    private UnaryOperator<String> reading = text -> text;

    @Override
    public String fingerprint() {
      return "texts";
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      byte[] bytes = writing.apply(value).getBytes(StandardCharsets.UTF_8);
      out.writeBytes(bytes, 0, bytes.length);
    }

    @Override
    public String decode(EncodedInput in) {
      return reading.apply(new String(in.readBytes(in.remaining()), StandardCharsets.UTF_8));
    }

    void refuse(String refused) {
      reading =
          text -> {
            if (text.startsWith(refused)) {
              throw new IllegalArgumentException("no " + text);
            }
            return text;
          };
    }
  }

  @Test
  void readable1WhatTheCodecCanNotReadIsNotStored() {
    Texts codec = new Texts();
    PersistentQueue<String> queue = store.queue("queue", codec);
    PersistentHashMap<String, String> map = store.hashMap("map", Codec.of(String.class), codec);
    PersistentTreeMap<String, String> tree = store.treeMap("tree", Codec.of(String.class), codec);
    queue.add("a");
    map.put("a", "a");
    tree.put("a", "a");
    codec.refuse("bad");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> queue.add("bad"))
        .withMessage(
            file
                + ": the queue \"queue\": an element was not stored, length=3 bytes, codec=texts:"
                + " its codec can't read what it wrote: it has thrown"
                + " java.lang.IllegalArgumentException: no bad."
                + " Nothing has changed; mend the codec");
    for (Map<String, String> each : List.of(map, tree)) {
      List<Runnable> changes =
          List.of(
              () -> each.put("b", "bad"),
              () -> each.put("a", "bad"),
              () -> each.putIfAbsent("b", "bad"),
              () -> each.replace("a", "bad"),
              () -> each.replace("a", "a", "bad"),
              () -> each.putAll(Map.of("c", "bad", "d", "bad")),
              () -> each.merge("a", "bad", (one, other) -> other),
              () -> each.compute("a", (key, value) -> "bad"),
              () -> each.computeIfAbsent("b", key -> "bad"));
      for (Runnable change : changes) {
        assertThatExceptionOfType(CodecException.class)
            .isThrownBy(change::run)
            .withMessageContaining("a value was not stored");
        assertThat(each).isEqualTo(Map.of("a", "a"));
      }
    }
    assertThat(queue).containsExactly("a");
    codec.reading = text -> null;
    assertThatThrownBy(() -> queue.add("null")).isInstanceOf(CodecException.class);
  }

  @Test
  void readable1AKeyHasOneForm() {
    Texts codec = new Texts();
    PersistentHashMap<String, String> map = store.hashMap("map", codec, codec);
    PersistentTreeMap<String, String> tree = store.treeMap("tree", codec, codec);
    int[] count = new int[1];
    codec.writing = text -> text + count[0]++;
    for (Map<String, String> each : List.of(map, tree)) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(() -> each.put("a", "b"))
          .withMessageContaining(
              "a key was not stored, length=2 bytes, codec=texts: its codec writes other bytes");
      assertThat(each).isEmpty();
    }
    codec.writing = text -> text;
    map.put("a", "b"); // a value may have several: encrypted ones have
    assertThat(map).containsEntry("a", "b");
  }

  @Test
  void elementsThatCanNotBeReadAnyMore() {
    Texts codec = new Texts();
    PersistentQueue<String> queue = store.queue("queue", codec);
    queue.addAll(List.of("bad 1", "a", "bad 2", "b", "c"));
    codec.refuse("bad");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(queue::poll)
        .withMessageStartingWith(
            file + ": the queue \"queue\": an element can't be decoded: offset=")
        .withMessageContaining("no bad 1")
        .withMessageEndingWith(". It is still there; removeUnreadable moves such elements out");
    List<String> found = new ArrayList<>();
    for (Iterator<String> each = queue.iterator(); each.hasNext(); ) {
      try {
        found.add(each.next());
      } catch (CodecException e) {
        found.add("?");
        if (e.getMessage().contains("bad 2")) {
          each.remove();
        }
      }
    }
    assertThat(found).containsExactly("?", "a", "?", "b", "c");
    assertThat(queue.size()).isEqualTo(4);
    PersistentQueue<byte[]> moved = store.queue("moved", byte[].class);
    assertThat(queue.removeUnreadable(moved::add)).isEqualTo(1);
    assertThat(moved.poll()).isEqualTo("bad 1".getBytes(StandardCharsets.UTF_8));
    assertThat(queue).containsExactly("a", "b", "c");
    assertThat(queue.removeUnreadable(moved::add)).isZero();
    assertThat(queue.validate()).isEqualTo(3);
  }

  @Test
  void elementsWithATimeThatCanNotBeReadAnyMore() {
    Texts codec = new Texts();
    PersistentDelayQueue<String> queue = store.delayQueue("later", codec);
    List<String> added = List.of("bad 1", "a", "bad 2", "b");
    for (int i = 0; i < 4; i++) {
      queue.add(added.get(i), Instant.ofEpochMilli(i));
    }
    codec.refuse("bad");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(queue::poll)
        .withMessageStartingWith(file + ": the delay queue \"later\": a value can't be decoded")
        .withMessageEndingWith("removeUnreadable moves such entries out");
    Iterator<Due<String>> each = queue.iterator();
    assertThatExceptionOfType(CodecException.class).isThrownBy(each::next);
    assertThat(each.next().element()).isEqualTo("a");
    assertThatExceptionOfType(CodecException.class).isThrownBy(each::next);
    each.remove();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(each::remove);
    assertThat(each.next().element()).isEqualTo("b");
    assertThat(queue.size()).isEqualTo(3);
    PersistentDelayQueue<byte[]> moved = store.delayQueue("moved", byte[].class);
    assertThat(queue.removeUnreadable((at, bytes) -> moved.add(bytes, at))).isEqualTo(1);
    assertThat(queue.stream().map(Due::element)).containsExactly("a", "b");
    Due<byte[]> taken = moved.poll();
    assertThat(taken.at()).isEqualTo(Instant.EPOCH);
    assertThat(text(taken.element())).isEqualTo("bad 1");
  }

  @Test
  void whatRefusesToTakeAnElementLeavesItThere() {
    Texts codec = new Texts();
    PersistentQueue<String> queue = store.queue("queue", codec);
    queue.addAll(List.of("bad 1", "a", "bad 2"));
    codec.refuse("bad");
    List<byte[]> taken = new ArrayList<>();
    assertThatThrownBy(
            () ->
                queue.removeUnreadable(
                    bytes -> {
                      if (!taken.isEmpty()) {
                        throw new UnsupportedOperationException("full");
                      }
                      taken.add(bytes);
                    }))
        .hasMessage("full");
    assertThat(queue.size()).isEqualTo(2);
    assertThatThrownBy(() -> queue.removeUnreadable(bytes -> queue.poll()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Recursive update");
    assertThat(queue.removeUnreadable(taken::add)).isEqualTo(1);
    assertThat(queue).containsExactly("a");
  }

  @Test
  void valuesThatCanNotBeReadAnyMore() {
    Texts codec = new Texts();
    PersistentHashMap<String, String> map = store.hashMap("map", Codec.of(String.class), codec);
    PersistentTreeMap<String, String> tree = store.treeMap("tree", Codec.of(String.class), codec);
    for (Map<String, String> each : List.of(map, tree)) {
      each.putAll(Map.of("a", "1", "b", "bad", "c", "3", "d", "bad 2"));
    }
    codec.refuse("bad");
    for (Map<String, String> each : List.of(map, tree)) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(() -> each.get("b"))
          .withMessageStartingWith(file + ": the " + (each == map ? "map \"map\"" : "sorted map"))
          .withMessageContaining("a value can't be decoded: length=3 bytes")
          .withMessageEndingWith("removeUnreadable moves such entries out");
      int refused = 0;
      List<String> found = new ArrayList<>();
      for (Iterator<String> values = each.values().iterator(); values.hasNext(); ) {
        try {
          found.add(values.next());
        } catch (CodecException e) {
          refused++;
          if (e.getMessage().contains("bad 2")) {
            values.remove();
          }
        }
      }
      assertThat(found).containsExactlyInAnyOrder("1", "3");
      assertThat(refused).isEqualTo(2);
      assertThat(each.keySet()).containsExactlyInAnyOrder("a", "b", "c");
    }
    Map<String, String> moved = store.hashMap("moved", String.class, String.class);
    assertThat(map.removeUnreadable((key, value) -> moved.put(text(key), text(value)))).isOne();
    assertThat(tree.removeUnreadable((key, value) -> moved.put("tree " + text(key), text(value))))
        .isOne();
    assertThat(moved).isEqualTo(Map.of("\2b", "bad", "tree \2b", "bad"));
    for (Map<String, String> each : List.of(map, tree)) {
      assertThat(each).isEqualTo(Map.of("a", "1", "c", "3"));
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
