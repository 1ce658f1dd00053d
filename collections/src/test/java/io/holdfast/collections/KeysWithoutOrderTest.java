package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SORT-1: a key that the order can't tell from itself is never stored.
class KeysWithoutOrderTest {
  @TempDir Path directory;
  private Path file;
  private Holdfast store;

  /// No class of an order.
  record Point(int x, int y) {}

  @BeforeEach
  void open() {
    file = directory.resolve("keys.hf");
    store = Holdfast.open(file);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static <K> List<Consumer<PersistentTreeMap<K, String>>> additions(K key) {
    return List.of(
        map -> map.put(key, "x"),
        map -> map.putIfAbsent(key, "x"),
        map -> map.compute(key, (k, value) -> "x"),
        map -> map.computeIfAbsent(key, k -> "x"),
        map -> map.merge(key, "x", String::concat),
        map -> map.putAll(Map.of(key, "x")),
        map -> map.load(Map.of(key, "x").entrySet().iterator()));
  }

  @Test
  void order1AClassWithoutAnOrder() {
    PersistentTreeMap<Point, String> map = store.treeMap("points", Point.class, String.class);
    for (Consumer<PersistentTreeMap<Point, String>> addition : additions(new Point(1, 2))) {
      assertThatExceptionOfType(ClassCastException.class)
          .isThrownBy(() -> addition.accept(map))
          .withMessage(
              file.toAbsolutePath()
                  + ": a key of a sorted map has no order: "
                  + Point.class.getName()
                  + " is not Comparable. Open the map with a comparator");
      assertThat(map).isEmpty();
      assertThat(map.validate()).isZero();
    }
  }

  @Test
  void order1AComparatorThatFails() {
    Comparator<Point> failing = Comparator.comparing(point -> List.of(1).get(point.x()));
    PersistentTreeMap<Point, String> map = ordered("failing", failing);
    for (Consumer<PersistentTreeMap<Point, String>> addition : additions(new Point(1, 2))) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> addition.accept(map));
      assertThat(map).isEmpty();
    }
    map.put(new Point(0, 0), "fine");
    assertThat(map).hasSize(1);
  }

  /// As a comparison of primitives by "less than" calls NaN.
  @Test
  void order1AKeyThatIsNotLevelWithItself() {
    Comparator<Point> askew = (one, other) -> one.x() < other.x() ? -1 : 1;
    PersistentTreeMap<Point, String> map = ordered("askew", askew);
    for (Consumer<PersistentTreeMap<Point, String>> addition : additions(new Point(1, 2))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> addition.accept(map))
          .withMessage(
              file.toAbsolutePath()
                  + ": a key of a sorted map does not compare to itself as 0: found=1,"
                  + " key=Point[x=1, y=2], order="
                  + askew.getClass().getName()
                  + ". Mend the order, or leave the key out");
      assertThat(map).isEmpty();
    }
  }

  private PersistentTreeMap<Point, String> ordered(String order, Comparator<Point> comparator) {
    return store.treeMap(order, Codec.of(Point.class), Codec.of(String.class), order, comparator);
  }
}
