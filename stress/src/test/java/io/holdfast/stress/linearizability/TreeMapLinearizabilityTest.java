package io.holdfast.stress.linearizability;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Whether what threads see of a sorted map is what a `TreeMap` would show in some order of their
/// operations.
///
/// Left out, because others may come between their steps:
///
/// - polls beside insertions. A poll looks for the first entry and then removes it: it may take one
///   although, when it goes, a lesser one has come. Lincheck finds that at once if the leaf's lock
///   yields.
/// - neighbours in another leaf beside insertions. What is found there was the nearest, unless a
///   nearer one has come meanwhile into the leaf that was looked at before.
/// - sizes, ranks, iterators and views as a whole, which are weakly consistent.
///
/// Without insertions, and in one leaf, polls and neighbours are checked.
class TreeMapLinearizabilityTest {
  /// Enough to see what is wrong.
  private static final int NOTICING = 16;

  private static StressOptions options(Class<?> specification) {
    return new StressOptions()
        .iterations(TestForm.count(8, NOTICING))
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .minimizeFailedScenario(false)
        .sequentialSpecification(specification);
  }

  /// Trees that are used again when they were long unused.
  private static final int TREES = 16;

  private static final AtomicInteger MADE = new AtomicInteger();

  private static <V> PersistentTreeMap<Integer, V> newTree(Class<V> value) {
    String name = "tree of %s, %d".formatted(value, MADE.incrementAndGet() % TREES);
    return LinearizabilityStore.open().treeMap(name, Integer.class, value);
  }

  @AfterAll
  static void close() throws IOException {
    LinearizabilityStore.close();
  }

  /// Nearly every run splits leaves, or writes them anew: five values fill one.
  @Test
  void operationsOnKeysWhileLeavesSplit() {
    options(SequentialMap.class).check(LargeValues.class);
  }

  @Test
  void neighboursInALeaf() {
    options(SequentialMap.class).check(Neighbours.class);
  }

  @Test
  void pollsAndNeighboursWhileLeavesMerge() {
    options(Filled.class).check(Removals.class);
  }

  /// A check that can't fail would show nothing.
  @Test
  void aMergeInTwoStepsIsNoticed() {
    assertThatThrownBy(
            () -> options(SequentialMap.class).iterations(NOTICING).check(InTwoSteps.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  /// Values of which five fill a leaf; a part of one is none.
  public static class LargeValues extends MapOperations<String> {
    private static final int LENGTH = 300;

    public LargeValues() {
      super(LinearizabilityStore.open().treeMap("tree", Integer.class, String.class));
    }

    @Override
    String value(int number) {
      return Integer.toString(number).repeat(LENGTH);
    }

    @Override
    Integer number(String value) {
      if (value == null) {
        return null;
      }
      int number = value.charAt(0) - '0';
      return value.equals(value(number)) ? number : -1;
    }
  }

  /// A tree of one leaf.
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  public static class Neighbours extends MapOperations<Integer> {
    private final PersistentTreeMap<Integer, Integer> tree;

    public Neighbours() {
      this(newTree(Integer.class));
    }

    private Neighbours(PersistentTreeMap<Integer, Integer> tree) {
      super(tree);
      this.tree = tree;
      tree.clear();
    }

    @Override
    Integer value(int number) {
      return number;
    }

    @Override
    Integer number(Integer value) {
      return value;
    }

    private Integer shown(Map.Entry<Integer, Integer> entry) {
      return entry == null ? null : SequentialMap.shown(entry.getKey() - first, entry.getValue());
    }

    @Operation
    public Integer floor(@Param(name = "key") int key) {
      return shown(tree.floorEntry(first + key));
    }

    @Operation
    public Integer ceiling(@Param(name = "key") int key) {
      return shown(tree.ceilingEntry(first + key));
    }

    @Operation
    public Integer first() {
      return shown(tree.firstEntry());
    }

    @Operation
    public Integer last() {
      return shown(tree.lastEntry());
    }
  }

  /// A tree of several leaves, which merge while entries go and none comes.
  @Param(name = "key", gen = IntGen.class, conf = "1:8")
  public static class Removals {
    private final PersistentTreeMap<Integer, String> tree = newTree(String.class);

    public Removals() {
      tree.clear();
      for (int key = 1; key <= Filled.KEYS; key++) {
        tree.put(key, value(key));
      }
    }

    private static String value(int key) {
      return Integer.toString(key).repeat(300);
    }

    private static Integer shown(Map.Entry<Integer, String> entry) {
      return entry == null ? null : shown(entry.getKey(), entry.getValue());
    }

    private static Integer shown(Integer key, String value) {
      return value == null ? null : value.equals(value(key)) ? key : -1;
    }

    @Operation
    public Integer get(@Param(name = "key") int key) {
      return shown(key, tree.get(key));
    }

    @Operation
    public Integer remove(@Param(name = "key") int key) {
      return shown(key, tree.remove(key));
    }

    @Operation
    public Integer floor(@Param(name = "key") int key) {
      return shown(tree.floorEntry(key));
    }

    @Operation
    public Integer ceiling(@Param(name = "key") int key) {
      return shown(tree.ceilingEntry(key));
    }

    @Operation
    public Integer pollFirst() {
      return shown(tree.pollFirstEntry());
    }

    @Operation
    public Integer pollLast() {
      return shown(tree.pollLastEntry());
    }
  }

  /// What it must be like.
  public static final class Filled {
    private static final int KEYS = 8;

    private final TreeSet<Integer> keys = new TreeSet<>();

    public Filled() {
      for (int key = 1; key <= KEYS; key++) {
        keys.add(key);
      }
    }

    public Integer get(int key) {
      return keys.contains(key) ? key : null;
    }

    public Integer remove(int key) {
      return keys.remove(key) ? key : null;
    }

    public Integer floor(int key) {
      return keys.floor(key);
    }

    public Integer ceiling(int key) {
      return keys.ceiling(key);
    }

    public Integer pollFirst() {
      return keys.pollFirst();
    }

    public Integer pollLast() {
      return keys.pollLast();
    }
  }

  /// A fault.
  public static final class InTwoSteps extends LargeValues {
    @Override
    String merge(ConcurrentMap<Integer, String> changed, int key, int value) {
      return mergeInTwoSteps(changed, key, value);
    }
  }
}
