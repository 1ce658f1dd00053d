package io.holdfast.collections;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.holdfast.codec.Codec;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import junit.framework.Test;
import junit.framework.TestSuite;

/// What `java.util.concurrent.ConcurrentNavigableMap` promises, by Guava's suites: in both
/// durabilities, and in a section.
///
/// Maps of several entries alone: with empty ones and those of one entry there would be 33,000
/// tests in each setting, which a small heap does not hold. After each test every map is validated.
public final class PersistentTreeMapContractTest {
  private PersistentTreeMapContractTest() {}

  /// How the tests of a suite are run.
  private enum Setting {
    PROCESS_CRASH(TestForm.count(5, 1)),
    POWER_FAILURE(3),
    IN_A_SECTION(3);

    /// Of the tests, every so many-th one runs.
    final int step;

    Setting(int step) {
      this.step = step;
    }

    static Setting[] inForm() {
      return TestForm.isThorough() ? values() : new Setting[] {PROCESS_CRASH};
    }
  }

  public static Test suite() {
    TestSuite suite = new TestSuite("PersistentTreeMap");
    for (Setting setting : Setting.inForm()) {
      Stores stores = new Stores(setting);
      ConcurrentNavigableMapTestSuiteBuilder<String, String> builder =
          builder("PersistentTreeMap, " + setting, stores::newMap);
      Test tests =
          ForgettingSuite.of(builder.withTearDown(stores::endTest).createTestSuite(), setting.step);
      stores.begin(tests.countTestCases());
      suite.addTest(tests);
    }
    return suite;
  }

  private static ConcurrentNavigableMapTestSuiteBuilder<String, String> builder(
      String name, Function<List<Map.Entry<String, String>>, SortedMap<String, String>> factory) {
    ConcurrentNavigableMapTestSuiteBuilder<String, String> builder =
        ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return factory.apply(List.of(entries));
              }
            });
    builder
        .named(name)
        .withFeatures(
            MapFeature.SUPPORTS_PUT,
            MapFeature.SUPPORTS_REMOVE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.KNOWN_ORDER,
            CollectionSize.SEVERAL);
    return builder;
  }

  /// The store of a suite.
  private static final class Stores {
    private final Setting setting;
    private final List<PersistentTreeMap<?, ?>> maps = new ArrayList<>();
    private int testsLeft;
    private Path path;
    private RegionFile file;
    private TreeMapRegion store;

    Stores(Setting setting) {
      this.setting = setting;
    }

    SortedMap<String, String> newMap(List<Map.Entry<String, String>> entries) {
      if (store == null) {
        open();
      }
      if (testsLeft > 0 && maps.isEmpty() && setting == Setting.IN_A_SECTION) {
        SectionHooks.enter();
      }
      Codec<String> codec = Codec.of(String.class);
      PersistentTreeMap<String, String> map = store.map("map " + maps.size(), codec, codec, null);
      maps.add(map);
      entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
      return map;
    }

    private void open() {
      try {
        path = Files.createTempFile("contract", ".hf");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      file =
          setting == Setting.POWER_FAILURE
              ? RegionFile.open(path, each -> PersistentMemory.domainOf(each))
              : RegionFile.open(path);
      store = TreeMapRegion.open(file.memory(), RegionFile.INITIAL_BYTES);
    }

    /// Forgets the maps that were made to build the suite, and their store: other tests run before.
    void begin(int tests) {
      deleteMaps();
      close();
      testsLeft = tests;
    }

    private void deleteMaps() {
      for (int i = 0; i < maps.size(); i++) {
        store.delete("map " + i);
      }
      maps.clear();
    }

    private void close() {
      if (store != null) {
        store.close();
        file.close();
        store = null;
        path.toFile().delete();
        path.resolveSibling(path.getFileName() + ".lock").toFile().delete();
      }
    }

    /// Validates the test's maps and deletes them.
    void endTest() {
      try {
        maps.forEach(PersistentTreeMap::validate);
      } finally {
        if (!maps.isEmpty() && setting == Setting.IN_A_SECTION) {
          SectionHooks.exit();
        }
        deleteMaps();
        testsLeft--;
        if (testsLeft == 0) {
          close();
        }
      }
    }
  }
}
