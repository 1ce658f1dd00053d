package io.holdfast.collections;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.CollectionAddAllTester;
import com.google.common.collect.testing.testers.CollectionAddTester;
import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestSuite;

/// What `java.util.concurrent.ConcurrentMap` promises, by Guava's suites: for maps in real files,
/// in both durabilities, outside of sections and in one, and for the JDK's `ConcurrentHashMap`, to
/// check the suite.
///
/// After each test every map is validated.
public final class PersistentHashMapContractTest {
  private PersistentHashMapContractTest() {}

  /// A key that is not the object that was put.
  public record Product(String name, int size, double weight) {}

  private enum Color {
    RED,
    GREEN,
    BLUE,
    WHITE,
    BLACK
  }

  /// Of the tests, every so many-th one runs.
  private static final int STEP = TestForm.count(5, 1);

  /// How the tests of a suite are run.
  private enum Setting {
    PROCESS_CRASH,
    POWER_FAILURE,
    IN_A_SECTION;

    static Setting[] inForm() {
      return TestForm.isThorough() ? values() : new Setting[] {PROCESS_CRASH};
    }
  }

  /// Five entries: three that are used, a missing one, and one that comes late.
  private record Kind<K, V>(
      String name,
      Codec<K> key,
      Codec<V> value,
      IntFunction<K[]> keys,
      IntFunction<V[]> values,
      List<K> sampleKeys,
      List<V> sampleValues) {}

  public static Test suite() {
    Codec<String> string = Codec.of(String.class);
    Codec<Long> number = Codec.of(Long.class);
    List<Kind<?, ?>> kinds =
        List.of(
            new Kind<>(
                "String to String",
                string,
                string,
                String[]::new,
                String[]::new,
                List.of(
                    "one", "two", "three", "missing", "a later one, longer than a line".repeat(9)),
                List.of("January", "", RawCodec.text("March", 5_000), "none", "December")),
            new Kind<>(
                "Long to Long",
                number,
                number,
                Long[]::new,
                Long[]::new,
                List.of(1L, -1L, Long.MAX_VALUE, 0L, 1L << 40),
                List.of(10L, Long.MIN_VALUE, 30L, 0L, 50L)),
            new Kind<>(
                "record to List",
                Codec.of(Product.class),
                Codec.listOf(string),
                Product[]::new,
                PersistentHashMapContractTest::lists,
                List.of(
                    new Product("apple", 1, 0.0),
                    new Product("apple", 1, -0.0),
                    new Product("pear", 3, Double.NaN),
                    new Product(null, 0, 0),
                    new Product("plum", 5, 1e300)),
                List.of(
                    List.of(), List.of("a"), List.of("b", "c"), List.of(""), List.of("d", "d"))),
            new Kind<>(
                "enum to Integer",
                Codec.of(Color.class),
                Codec.of(Integer.class),
                Color[]::new,
                Integer[]::new,
                List.of(Color.values()),
                List.of(1, 2, 3, 4, 5)));
    TestSuite suite = new TestSuite("PersistentHashMap");
    for (Setting setting : Setting.inForm()) {
      kinds.forEach(kind -> suite.addTest(persistent(kind, setting)));
    }
    suite.addTest(ForgettingSuite.of(twin(kinds.getFirst()), STEP));
    return suite;
  }

  /// The JDK's map allows more: its entry set takes entries.
  private static <K, V> Test twin(Kind<K, V> kind) {
    return builder(
            "ConcurrentHashMap",
            kind,
            entries -> {
              ConcurrentMap<K, V> map = new ConcurrentHashMap<>();
              entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
              return map;
            })
        .suppressing(
            Stream.concat(
                    Stream.of(CollectionAddTester.class.getMethods()),
                    Stream.of(CollectionAddAllTester.class.getMethods()))
                .filter(method -> method.getName().contains("_unsupported"))
                .toList())
        .createTestSuite();
  }

  @SuppressWarnings("unchecked") // an array of a generic type
  private static List<String>[] lists(int length) {
    return (List<String>[]) new List<?>[length];
  }

  private interface Factory<K, V> {
    ConcurrentMap<K, V> create(List<Map.Entry<K, V>> entries);
  }

  private static <K, V> Test persistent(Kind<K, V> kind, Setting setting) {
    Stores stores = new Stores(setting);
    Test suite =
        ForgettingSuite.of(
            builder(
                    "PersistentHashMap, " + setting,
                    kind,
                    entries -> {
                      PersistentHashMap<K, V> map = stores.newMap(kind);
                      entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
                      return map;
                    })
                .withTearDown(stores::endTest)
                .createTestSuite(),
            STEP);
    stores.expect(suite.countTestCases());
    return suite;
  }

  private static <K, V> ConcurrentMapTestSuiteBuilder<K, V> builder(
      String name, Kind<K, V> kind, Factory<K, V> factory) {
    ConcurrentMapTestSuiteBuilder<K, V> builder =
        ConcurrentMapTestSuiteBuilder.using(new Generator<>(kind, factory));
    builder
        .named(name + ", " + kind.name())
        .withFeatures(
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionSize.ANY);
    return builder;
  }

  private record Generator<K, V>(Kind<K, V> kind, Factory<K, V> factory)
      implements TestMapGenerator<K, V> {
    @Override
    public SampleElements<Map.Entry<K, V>> samples() {
      return new SampleElements<>(entry(0), entry(1), entry(2), entry(3), entry(4));
    }

    private Map.Entry<K, V> entry(int i) {
      return Map.entry(kind.sampleKeys().get(i), kind.sampleValues().get(i));
    }

    @Override
    @SuppressWarnings("unchecked") // they are the samples
    public Map<K, V> create(Object... entries) {
      return factory.create((List<Map.Entry<K, V>>) (List<?>) Arrays.asList(entries));
    }

    @Override
    @SuppressWarnings("unchecked") // an array of a generic type
    public Map.Entry<K, V>[] createArray(int length) {
      return (Map.Entry<K, V>[]) new Map.Entry<?, ?>[length];
    }

    @Override
    public Iterable<Map.Entry<K, V>> order(List<Map.Entry<K, V>> insertionOrder) {
      return insertionOrder;
    }

    @Override
    public K[] createKeyArray(int length) {
      return kind.keys().apply(length);
    }

    @Override
    public V[] createValueArray(int length) {
      return kind.values().apply(length);
    }
  }

  /// The store of a suite.
  private static final class Stores {
    private final Setting setting;
    private final List<PersistentHashMap<?, ?>> maps = new ArrayList<>();
    private int testsLeft;
    private Path file;
    private Holdfast store;

    Stores(Setting setting) {
      this.setting = setting;
    }

    void expect(int tests) {
      testsLeft = tests;
    }

    <K, V> PersistentHashMap<K, V> newMap(Kind<K, V> kind) {
      if (store == null) {
        open();
      }
      if (maps.isEmpty() && setting == Setting.IN_A_SECTION) {
        SectionHooks.enter();
      }
      PersistentHashMap<K, V> map = store.hashMap("map " + maps.size(), kind.key(), kind.value());
      maps.add(map);
      return map;
    }

    private void open() {
      try {
        file = Files.createTempFile("contract", ".hf");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      store =
          Holdfast.open(
              file,
              setting == Setting.POWER_FAILURE
                  ? Holdfast.Options.defaults()
                      .durability(Durability.POWER_FAILURE)
                      .treatAsPersistentMemory()
                  : Holdfast.Options.defaults());
    }

    /// Validates the test's maps and deletes them; after the last test, closes the store.
    void endTest() {
      try {
        maps.forEach(PersistentHashMap::validate);
      } finally {
        if (!maps.isEmpty() && setting == Setting.IN_A_SECTION) {
          SectionHooks.exit();
        }
        for (int i = 0; i < maps.size(); i++) {
          store.delete("map " + i);
        }
        maps.clear();
        testsLeft--;
        if (testsLeft == 0 && store != null) {
          store.close();
          store = null;
          file.toFile().delete();
          file.resolveSibling(file.getFileName() + ".lock").toFile().delete();
        }
      }
    }
  }
}
