package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.core.Durability;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.HoldfastOpener;
import io.holdfast.testkit.StoreOpener;
import io.holdfast.testkit.TestForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Crashes while calls are made, while the next process makes what is left, and while the one after
/// that does. Registration is a part of the opening here, so the calls that it makes crash at each
/// of their stores too.
class ResumableCrashTest {
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  @BeforeAll
  static void logNoFailuresOfCalls() {
    LOG.setFilter(logged -> !logged.getMessage().contains("resumable"));
  }

  @AfterAll
  static void logAll() {
    LOG.setFilter(null);
  }

  private static final Bounds FEW = new Bounds(2, 2, 2, 10);

  record Sale(String article, int count) {}

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// A store whose function is registered. Gold is not for sale, which comes out late.
  record Shop(Holdfast store, Resumable<Sale, Integer> sell) implements AutoCloseable {
    static final Resumable.Options<Sale> OPTIONS =
        Resumable.Options.<Sale>defaults().orderedBy(Sale::article).keep(3, Duration.ofDays(9));

    static Shop of(Holdfast store, Resumable.Options<Sale> options) {
      sold(store);
      bills(store);
      return new Shop(
          store,
          store.resumable("sell", Sale.class, Integer.class, options, sale -> sell(store, sale)));
    }

    private static Map<String, Integer> sold(Holdfast store) {
      return store.hashMap("sold", String.class, Integer.class);
    }

    private static Queue<String> bills(Holdfast store) {
      return store.queue("bills", String.class);
    }

    private static int sell(Holdfast store, Sale sale) {
      int sold = sold(store).merge(sale.article(), sale.count(), Integer::sum);
      bills(store).add(sale.article() + " " + sold);
      if (sale.article().equals("gold")) {
        throw new Refused();
      }
      return sold;
    }

    private Optional<String> outcome(String id) {
      try {
        return sell.outcome(id).map(found -> found.result() + ", " + found.failure());
      } catch (RootDeletedException e) {
        return Optional.empty();
      }
    }

    Object state() {
      return List.of(
          new TreeMap<>(sold(store)),
          List.copyOf(bills(store)),
          store.unfinished().stream().map(Unfinished::argument).toList(),
          Stream.of("given", "first", "second", "third").map(this::outcome).toList());
    }

    @Override
    public void close() {
      store.close();
    }
  }

  static final class ShopOpener implements StoreOpener<Shop> {
    private final HoldfastOpener stores = new HoldfastOpener();

    ShopOpener() {}

    @Override
    public Class<Shop> type() {
      return Shop.class;
    }

    @Override
    public Shop open(Memory memory, Durability durability) {
      return Shop.of(stores.open(memory, durability), Shop.OPTIONS);
    }

    @Override
    public boolean acknowledges() {
      return true;
    }
  }

  /// What a failed call leaves is unfinished there.
  static final class RetryingShopOpener implements StoreOpener<Shop> {
    private final HoldfastOpener stores = new HoldfastOpener();

    RetryingShopOpener() {}

    @Override
    public Class<Shop> type() {
      return Shop.class;
    }

    @Override
    public Shop open(Memory memory, Durability durability) {
      return Shop.of(stores.open(memory, durability), Shop.OPTIONS.retryFailed());
    }

    @Override
    public boolean acknowledges() {
      return true;
    }
  }

  /// The calls and the results are never there without each other.
  @CrashTest(opener = RetryingShopOpener.class)
  void call5ADeletionTakesAllOrNothing(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .given(
            shop -> {
              shop.sell().run("given", new Sale("pear", 1));
              catchThrowable(() -> shop.sell().run("first", new Sale("gold", 1)));
            })
        .step("delete", shop -> shop.store().delete("sell"));
  }

  /// In the thorough form there are some 7,000 images of a call, and two million of a second crash
  /// after them: these are for the short form, in which there are fewer images of the first, and
  /// sampled in {@link #x1TheNextProcessesMayDieToo}.
  private static CrashExplorer<Shop> prepared(CrashExplorer<Shop> explorer) {
    return explorer
        .bounds(TestForm.isThorough() ? Bounds.SPARSE : FEW)
        .crashesOfRecovery(TestForm.count(1, 0))
        .given(shop -> shop.sell().run("given", new Sale("pear", 1)))
        .state(Shop::state);
  }

  /// CALL-1
  @CrashTest(opener = ShopOpener.class)
  void x1ACallIsDoneOnce(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .step("without an id", shop -> shop.sell().run(new Sale("apple", 2)))
        .step("with one", shop -> shop.sell().run("first", new Sale("apple", 3)))
        .step(
            "again",
            shop -> assertThat(shop.sell().run("first", new Sale("apple", 3))).isEqualTo(5));
  }

  @CrashTest(opener = ShopOpener.class)
  void x2OfAFailedCallNothingStays(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .step(
            "fails",
            shop ->
                assertThat(catchThrowable(() -> shop.sell().run("first", new Sale("gold", 1))))
                    .isInstanceOf(Refused.class))
        .step("and one that does not", shop -> shop.sell().run("second", new Sale("apple", 1)));
  }

  @CrashTest(opener = ShopOpener.class)
  void x1ACallInASectionIsAPartOfIt(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .step(
            "two",
            shop ->
                shop.store()
                    .atomically(
                        () -> {
                          shop.sell().run("first", new Sale("apple", 1));
                          shop.sell().run(new Sale("pear", 1));
                        }));
  }

  /// Three processes die one after the other: that of the call, the one that makes it again, and
  /// the one after that. A sample of the places of each.
  @CrashTest(opener = ShopOpener.class)
  void x1TheNextProcessesMayDieToo(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .crashesOfRecovery(TestForm.count(2, 1))
        .bounds(new Bounds(0, 1, 0, TestForm.count(2, 8)))
        .step("with an id", shop -> shop.sell().run("first", new Sale("pear", 3)))
        .step("without one", shop -> shop.sell().run(new Sale("pear", 2)));
  }

  /// The oldest of four ids goes.
  @CrashTest(opener = ShopOpener.class)
  void call4AnIdIsForgottenWhole(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .given(shop -> shop.sell().run("first", new Sale("apple", 1)))
        .given(shop -> shop.sell().run("second", new Sale("apple", 1)))
        .step("one too many", shop -> shop.sell().run("third", new Sale("apple", 1)))
        .check(
            (shop, _) -> {
              shop.sell().run("third", new Sale("apple", 1));
              shop.sell().run("last", new Sale("apple", 1));
              assertThat(Stream.of("given", "first", "second", "third", "last").map(shop::outcome))
                  .extracting(Optional::isPresent)
                  .containsExactly(false, false, true, true, true);
              assertThat(Shop.sold(shop.store())).containsEntry("apple", 4);
            });
  }
}
