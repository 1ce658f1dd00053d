package io.holdfast.stress.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.Interleavings.Step;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/// Crashes at every store of a program over a queue, maps and sorted maps, under both failures. The
/// oracle is that of the kill loop: a payment is in the inbox or made; the accounts are those of
/// the payments made; the sorted map is the index of the map.
class PaymentsCrashTest {
  private static final int THREAD = 0;

  /// Of 90.
  private static final int ORDERS = 12;

  private static final Bounds BOUNDS = new Bounds(4, 4, 4, 24);

  private final List<Lock> locks = Books.locks();

  private static CrashExplorer<Holdfast> prepared(
      CrashExplorer<Holdfast> explorer, CrashExplorer.Action<Holdfast> given) {
    return explorer.bounds(BOUNDS).given(given).check(PaymentsCrashTest::check);
  }

  private static void check(Holdfast store, CrashPoint point) {
    BooksCheck.check(Books.in(store), new Acknowledged());
  }

  private static void order(Holdfast store, int payments) {
    store.atomically(() -> Books.in(store).order(THREAD, payments));
  }

  private void makeInOneSection(Holdfast store, int payments) {
    store.atomically(() -> make(store, payments));
  }

  private void make(Holdfast store, int payments) {
    for (int i = 0; i < payments; i++) {
      Books.in(store).makeNext(locks);
    }
  }

  /// All there is.
  private static Object everything(Holdfast store) {
    Books books = Books.in(store);
    return List.of(
        List.copyOf(books.inbox()),
        new TreeMap<>(books.ordered()),
        new TreeMap<>(books.giro()),
        new TreeMap<>(books.savings()),
        new TreeMap<>(books.index()),
        new TreeMap<>(books.made()));
  }

  @CrashTest
  void p1OrderedAndMade(CrashExplorer<Holdfast> explorer) {
    prepared(explorer, store -> order(store, 2))
        .step("make one", store -> makeInOneSection(store, 1))
        .step("order one", store -> order(store, 1))
        .state(PaymentsCrashTest::everything);
  }

  /// The leaf of what was made is full in the middle of the section, and is split there.
  @CrashTest
  void p1ALeafIsSplitInTheMiddle(CrashExplorer<Holdfast> explorer) {
    prepared(
            explorer,
            store -> {
              order(store, 70);
              makeInOneSection(store, 62);
            })
        .crashesOfRecovery(0)
        .step("make four", store -> makeInOneSection(store, 4))
        .state(PaymentsCrashTest::everything);
  }

  /// Each thread sees in the inbox, in the accounts and in the index what the others' open sections
  /// did, and depends on them, in rings too; a sample of the orders of their turns.
  @CrashTest
  void p2WhoGoesOnWithWhatOthersDid(CrashExplorer<Holdfast> explorer) {
    prepared(explorer, store -> order(store, 3))
        .withoutModel()
        .crashesOfRecovery(0)
        .interleavings()
        .most(ORDERS, ORDERS)
        .thread("A", section(this::makeOne))
        .thread("B", section(this::makeOne))
        .thread("C", section(store -> Books.in(store).order(1, 1)))
        .check(order -> (store, point) -> checkAllAtTheEnd(store, point, order.turns().size()))
        .explore();
  }

  private void makeOne(Holdfast store) {
    make(store, 1);
  }

  private static List<Step<Holdfast>> section(CrashExplorer.Action<Holdfast> action) {
    return List.of(
        Step.of(
            "begins",
            store -> {
              SectionHooks.enter();
              action.run(store);
            }),
        Step.of(
            "ends",
            store -> {
              SectionHooks.exit();
              SectionHooks.released(); // waits for a disk
            }));
  }

  /// P6: when all sections have ended, none waits for another.
  private static void checkAllAtTheEnd(Holdfast store, CrashPoint point, int turns) {
    if (point.acknowledged() == turns) {
      assertThat(Books.in(store).made()).hasSize(2);
      assertThat(Books.in(store).inbox()).hasSize(2);
    }
  }

  /// A test that can't fail would show nothing.
  @CrashTest
  void paymentsWithoutASectionAreFound(CrashExplorer<Holdfast> explorer) {
    prepared(explorer, store -> order(store, 1)).step("make one", this::makeOne);

    assertThatThrownBy(explorer::explore)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("in flight: make one");
  }
}
