package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A program that calls random operations from within random pieces of its own code, which
/// operations run (UPDATE-1): whatever it does, only documented exceptions are thrown, nothing
/// hangs, and the collections are sound after each step and after opening them again.
@Timeout(60)
class RandomReentranceTest {
  private static final int STEPS = 250;
  private static final int DEPTH_MAX = 3;

  @TempDir Path directory;
  private Random random;
  private Holdfast store;
  private PersistentHashMap<String, String> map;
  private PersistentTreeMap<String, String> tree;
  private PersistentQueue<String> queue;
  private int depth;
  private int refusals;

  /// Does something, some of the times that the program's code is called.
  private void meddle() {
    if (depth > 0 && depth < DEPTH_MAX && random.nextInt(6) == 0) {
      depth++;
      try {
        operation();
      } finally {
        depth--;
      }
    }
  }

  private final class Texts implements Codec<String> {
    @Override
    public String fingerprint() {
      return "texts";
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      out.writeLength(value.length());
      meddle();
      out.writeString(value);
    }

    @Override
    public String decode(EncodedInput in) {
      int length = in.readLength();
      meddle();
      String value = in.readString();
      if (value.length() != length) {
        throw new CodecException("length=%d, found=%d".formatted(length, value.length()));
      }
      return value;
    }
  }

  /// Equal to a text, in its own time.
  private final class Alike {
    private final String text;

    Alike(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      meddle();
      return text.equals(other);
    }

    @Override
    public int hashCode() {
      meddle();
      return text.hashCode();
    }
  }

  private String text() {
    String text = "k" + random.nextInt(200);
    return random.nextInt(10) == 0 ? text + "-".repeat(random.nextInt(3_000)) : text;
  }

  private String key() {
    return "k" + random.nextInt(200);
  }

  private String made() {
    meddle();
    if (random.nextInt(10) == 0) {
      throw new UnsupportedOperationException("of the program's own");
    }
    return random.nextInt(4) == 0 ? null : text();
  }

  private boolean chosen() {
    meddle();
    return random.nextInt(20) == 0;
  }

  private void open() {
    store = Holdfast.open(directory.resolve("random.hf"));
    map = store.hashMap("map", new Texts(), new Texts());
    tree =
        store.treeMap(
            "tree",
            new Texts(),
            new Texts(),
            "meddling",
            (one, other) -> {
              meddle();
              return one.compareTo(other);
            });
    queue = store.queue("queue", new Texts());
  }

  private void operation() {
    Map<String, String> either = random.nextBoolean() ? map : tree;
    NavigableMap<String, String> sorted = random.nextBoolean() ? tree : tree.descendingMap();
    switch (random.nextInt(24)) {
      case 0, 1, 2 -> either.put(key(), text());
      case 3 -> either.remove(key());
      case 4 -> either.remove(key(), new Alike(text()));
      case 5 -> either.get(key());
      case 6 -> either.compute(key(), (k, v) -> made());
      case 7 -> either.merge(key(), text(), (one, other) -> made());
      case 8 -> either.computeIfAbsent(key(), k -> made());
      case 9 -> either.replaceAll((k, v) -> chosen() ? v + "'" : v);
      case 10 -> either.values().removeIf(v -> chosen());
      case 11 -> either.putAll(Map.of(key() + "a", text(), key() + "b", text()));
      case 12 -> sorted.ceilingKey(key());
      case 13 -> sorted.pollFirstEntry();
      case 14 -> either.entrySet().contains(Map.entry(key(), new Alike(text())));
      case 15, 16, 17 -> queue.add(text());
      case 18 -> queue.poll();
      case 19 -> queue.remove(new Alike(text()));
      case 20 -> queue.removeIf(each -> chosen());
      case 21 -> queue.drainTo(new Sink(), 3);
      case 22 -> walk(random.nextBoolean() ? queue : either.keySet());
      default -> store.atomically(() -> either.put(key(), text()));
    }
  }

  private final class Sink extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean add(String element) {
      meddle();
      return super.add(element);
    }
  }

  private void walk(Iterable<String> elements) {
    Iterator<String> each = elements.iterator();
    for (int i = 0; i < 5 && each.hasNext(); i++) {
      each.next();
      meddle();
      if (chosen()) {
        each.remove();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void update1WhateverTheProgramDoes(long seed) {
    random = new Random(seed);
    open();
    Set<String> unknown = new HashSet<>();
    for (int step = 0; step < STEPS; step++) {
      depth = 1;
      try {
        operation();
      } catch (IllegalStateException e) {
        assertThat(e).as("seed=%d, step=%d", seed, step).hasMessageContaining("Recursive update");
        refusals++;
      } catch (UnsupportedOperationException e) {
        assertThat(e).hasMessage("of the program's own");
      } catch (CodecException e) { // what a codec throws, by an operation that it has called
        assertThat(e).as("seed=%d, step=%d", seed, step).hasStackTraceContaining("program's own");
      } catch (RuntimeException e) {
        unknown.add("seed=%d, step=%d: %s".formatted(seed, step, e));
      }
      depth = 0;
      if (step % 20 == 0) {
        check(seed, step);
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(refusals).isPositive();
    Map<String, String> before = Map.copyOf(map);
    Map<String, String> sorted = Map.copyOf(tree);
    List<String> elements = List.copyOf(queue);
    store.close();
    open();
    assertThat(map).isEqualTo(before);
    assertThat(tree).isEqualTo(sorted);
    assertThat(queue).containsExactlyElementsOf(elements);
    check(seed, STEPS);
    store.close();
  }

  private void check(long seed, int step) {
    String at = "seed=%d, step=%d".formatted(seed, step);
    assertThat(map.validate()).as(at).isEqualTo(map.mappingCount());
    assertThat(tree.validate()).as(at).isEqualTo(tree.size());
    assertThat(queue.validate()).as(at).isEqualTo(queue.size());
    assertThat(Stream.concat(map.keySet().stream(), tree.keySet().stream()))
        .as(at)
        .allMatch(key -> key.startsWith("k"));
  }
}
