package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Two threads in one tree, one of them in the middle of what the other does: in a leaf, in a
/// split, in a merge with a neighbour, in a clearing.
class TreeIntruderTest {
  private static final String LONG = "some lines ".repeat(20);

  /// @param entries in the tree before
  private static Intruder<TreeRegion> intruder(int entries) {
    return intruder(memory -> TreeRegion.open(memory).create().fill(0, entries));
  }

  private static Intruder<TreeRegion> intruder(Function<Memory, TreeRegion> open) {
    return new Intruder<>(
        open,
        store -> {
          store.check();
          return store.all();
        });
  }

  private static Function<TreeRegion, Object> put(String key, String value) {
    return store -> store.put(key, value);
  }

  private static Function<TreeRegion, Object> remove(String key) {
    return store -> store.remove(key);
  }

  private static Function<TreeRegion, Object> clear() {
    return store -> {
      store.tree().clear();
      return "cleared";
    };
  }

  private static String key(int number) {
    return "key%05d".formatted(number);
  }

  @Test
  void inOneLeaf() throws Exception {
    Intruder<TreeRegion> few = intruder(5);
    assertThat(few.inAnyOrder(put("one", "1"), put("two", LONG))).isGreaterThan(10);
    few.inAnyOrder(put(key(1), "other"), put(key(1), LONG));
    few.inAnyOrder(remove(key(1)), remove(key(2)));
    few.inAnyOrder(put(key(1), "other"), remove(key(1)));
  }

  @Test
  void theFirstLeaf() throws Exception {
    intruder(0).inAnyOrder(put("one", "1"), put("two", "2"));
  }

  @Test
  void inASplit() throws Exception {
    inASplit(KEYS, "key00020~", "key00001~");
  }

  /// Whose leaves keep what the keys have in common once.
  @Test
  void inASplitOfKeysThatBeginAlike() throws Exception {
    String before = "a beginning that many keys have in common/";
    inASplit(
        KEYS.stream().map(before::concat).toList(), before + "key00020~", "a key that does not");
  }

  private static void inASplit(List<String> keys, String one, String other) throws Exception {
    int full = atWhichBlocksChange(TreeRegion::create, keys, TreeIntruderTest::putKey);
    Intruder<TreeRegion> intruder =
        intruder(
            memory -> {
              TreeRegion store = TreeRegion.open(memory).create();
              keys.subList(0, full).forEach(key -> putKey(store, key));
              return store;
            });
    String last = keys.get(full);
    assertThat(intruder.inAnyOrder(put(last, "1"), put(one, LONG))).isGreaterThan(10);
    intruder.inAnyOrder(put(last, "1"), put(other, "in the other half"));
  }

  /// The neighbour is somebody else's meanwhile.
  @Test
  void inAMerge() throws Exception {
    List<String> ascending = KEYS.stream().sorted().toList();
    int few = atWhichBlocksChange(TreeIntruderTest::filled, ascending, TreeRegion::remove);
    Intruder<TreeRegion> intruder =
        intruder(
            memory -> {
              TreeRegion store = filled(TreeRegion.open(memory));
              ascending.subList(0, few).forEach(store::remove);
              return store;
            });
    for (int behind : new int[] {1, 8, 16}) {
      String key = ascending.get(few + behind);
      intruder.inAnyOrder(remove(ascending.get(few)), put(key, LONG));
      intruder.inAnyOrder(remove(ascending.get(few)), remove(key));
    }
  }

  private static final List<String> KEYS =
      IntStream.range(0, 80).mapToObj(i -> key(i * 37 % 80)).toList();

  private static void putKey(TreeRegion store, String key) {
    store.put(key, "of " + key);
  }

  private static TreeRegion filled(TreeRegion store) {
    store.create();
    KEYS.forEach(key -> putKey(store, key));
    return store;
  }

  /// How many keys something is done for before it makes a leaf, or frees one.
  private static int atWhichBlocksChange(
      UnaryOperator<TreeRegion> open, List<String> keys, BiConsumer<TreeRegion, String> change) {
    try (TreeRegion store = TreeRegion.open(new RecordingMemory())) {
      open.apply(store);
      int done = 0;
      for (long before = blocks(store); blocks(store) == before || before == 0; done++) {
        before = blocks(store);
        change.accept(store, keys.get(done));
      }
      return done - 1;
    }
  }

  private static long blocks(TreeRegion store) {
    long[] count = new long[1];
    store.tree().forEachBlock(block -> count[0]++);
    return count[0];
  }

  /// What was cleared is freed after the clearing, also by others that clear. A block that is freed
  /// twice is used twice by what is put then.
  @Test
  void clearings() throws Exception {
    intruder(20).inAnyOrder(clear(), put(key(3), "1"));
    Intruder<TreeRegion> full =
        new Intruder<>(
            memory -> fill(TreeRegion.open(memory).create(), "full"),
            store -> {
              store.checkBlocks();
              fill(store, "again");
              store.checkBlocks();
              assertThat(store.tree().validate()).isEqualTo(20);
              return store.all();
            });
    full.inAnyOrder(clear(), clear());
    full.inAnyOrder(
        clear(),
        store -> {
          fill(store, "between");
          store.tree().clear();
          return "cleared";
        });
  }

  /// Who clears frees what another clearing has left, while that one is at it, too: it holds none
  /// of the tree's locks by then.
  @Test
  void garbage() throws Exception {
    Intruder<Garbage> intruder = new Intruder<>(Garbage::open, Garbage::stateBehindAll);
    assertThat(intruder.inAnyOrder(Garbage::take, Garbage::free)).isGreaterThan(10);
    assertThat(intruder.inAnyOrder(Garbage::free, Garbage::take)).isGreaterThan(10);
  }

  /// A tree that was cleared in a section, which leaves all of it, and filled again.
  private record Garbage(TreeRegion store, TreeGarbage garbage) implements AutoCloseable {
    static Garbage open(Memory memory) {
      TreeRegion store = TreeRegion.open(memory);
      createWithGarbage(store);
      store.fill(0, 5);
      Region region = store.region();
      Inner inner = new Inner(region.memory(), KeyOrder.BYTES);
      return new Garbage(store, new TreeGarbage(region, inner, root(store), () -> {}));
    }

    String take() {
      garbage.adding(garbage::take, () -> {});
      return "taken";
    }

    String free() {
      garbage.freeOutsideOfSections();
      return "freed";
    }

    Object stateBehindAll() {
      store.openAgain(); // which frees what is left
      store.checkBlocks();
      assertThat(fill(store, "again").tree().validate()).isEqualTo(20);
      store.checkBlocks();
      return store.all();
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private static void createWithGarbage(TreeRegion store) {
    store.create().fill(0, 5).put(key(5), "~".repeat(1_000));
    Words.atomically(() -> store.tree().clear());
  }

  private static long root(TreeRegion store) {
    return store.region().roots().find("tree").firstBlock();
  }

  /// TREE-10: who clears frees blocks when it has let others in again, who may delete the tree.
  /// What is there then is another one's.
  @Test
  void clearingAndDeletion() throws Exception {
    Intruder<TreeRegion> intruder =
        new Intruder<>(
            memory -> TreeRegion.open(memory).create().fill(0, 5),
            store -> {
              assertThat(fill(store.create(), "again").tree().validate()).isEqualTo(20);
              store.checkBlocks();
              return store.all();
            });
    Function<TreeRegion, Object> clearing =
        store -> {
          try {
            store.tree().clear();
            return "cleared";
          } catch (RootDeletedException e) {
            return "deleted";
          }
        };
    assertThat(intruder.inAnyOrder(TreeRegion::delete, clearing)).isGreaterThan(10);
    intruder.meet(
        clearing,
        store -> {
          boolean isGone = store.delete();
          createWithGarbage(store);
          return isGone;
        },
        (store, one, isGone) -> {
          assertThat(isGone).isEqualTo(true);
          assertThat(store.region().memory().readPlain(root(store) + TreeLayout.ROOT_GARBAGE))
              .isNotZero();
          store.openAgain();
          store.checkBlocks();
        });
  }

  private static TreeRegion fill(TreeRegion store, String with) {
    for (int i = 0; i < 20; i++) {
      store.put(key(i), with + (i % 5 == 0 ? "~".repeat(1_000) : LONG));
    }
    return store;
  }
}
