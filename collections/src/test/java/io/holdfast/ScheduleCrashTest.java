package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.Due;
import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.HoldfastOpener;
import io.holdfast.testkit.StoreOpener;
import io.holdfast.testkit.TestForm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Crashes while calls are scheduled, and while the next process makes what is due. No thread looks
/// at the clock here; registration does, and is a part of the opening.
class ScheduleCrashTest {
  private static final Instant PAST = Instant.ofEpochMilli(1_000_000);
  private static final Instant FUTURE = Instant.ofEpochMilli(4_000_000_000_000L);

  /// A store whose function is registered.
  record Shop(Holdfast store, Resumable<String, Integer> sell) implements AutoCloseable {
    static Shop of(Holdfast store) {
      Map<String, Integer> sold = sold(store);
      return new Shop(
          store,
          store.resumable(
              "sell", String.class, Integer.class, each -> sold.merge(each, 1, Integer::sum)));
    }

    private static Map<String, Integer> sold(Holdfast store) {
      return store.hashMap("sold", String.class, Integer.class);
    }

    Object state() {
      return List.of(new TreeMap<>(sold(store)), sell.scheduled(), store.unfinished());
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
      return Shop.of(stores.open(memory, durability));
    }

    @Override
    public boolean acknowledges() {
      return true;
    }
  }

  private static CrashExplorer<Shop> prepared(CrashExplorer<Shop> explorer) {
    return explorer
        .bounds(Bounds.SPARSE)
        .crashesOfRecovery(0)
        .given(shop -> shop.sell().at(FUTURE, "given"))
        .state(Shop::state);
  }

  /// What is due is made by the next opening, so steps have no state that all processes agree on.
  private static void isSoldOnce(Shop shop, String article, boolean isAcknowledged) {
    assertThat(Shop.sold(shop.store()).getOrDefault(article, isAcknowledged ? 0 : 1))
        .as(article)
        .isEqualTo(1);
  }

  private static CrashExplorer<Shop> scheduling(CrashExplorer<Shop> explorer) {
    return prepared(explorer)
        .withoutModel()
        .step("alone", shop -> shop.sell().at(PAST, "apple"))
        .step("with an id", shop -> shop.sell().at("first", PAST, "pear"))
        .step("repeated", shop -> shop.sell().every("daily", PAST, Duration.ofDays(1), "plum"))
        .check(
            (shop, point) -> {
              isSoldOnce(shop, "apple", point.acknowledged() > 0);
              isSoldOnce(shop, "pear", point.acknowledged() > 1);
              isSoldOnce(shop, "plum", point.acknowledged() > 2);
              assertThat(shop.store().unfinished()).isEmpty();
              assertThat(shop.sell().scheduled())
                  .hasSize(Shop.sold(shop.store()).containsKey("plum") ? 2 : 1);
            });
  }

  @CrashTest(opener = ShopOpener.class)
  void schedule1ACallThatIsDueIsMadeOnce(CrashExplorer<Shop> explorer) {
    scheduling(explorer);
  }

  /// The process that makes it dies, too. A sample of the places of both, in the short form alone:
  /// the thorough one takes many more of each opening.
  @CrashTest(opener = ShopOpener.class)
  void schedule1TheNextProcessMayDieToo(CrashExplorer<Shop> explorer) {
    scheduling(explorer).bounds(new Bounds(0, 1, 0, 2)).crashesOfRecovery(TestForm.count(1, 0));
  }

  @CrashTest(opener = ShopOpener.class)
  void schedule2AnIdHasOneCall(CrashExplorer<Shop> explorer) {
    prepared(explorer)
        .given(shop -> shop.sell().every("hourly", FUTURE, Duration.ofHours(1), "c"))
        .step("new", shop -> shop.sell().every("daily", FUTURE, Duration.ofHours(24), "a"))
        .step("another", shop -> shop.sell().every("daily", FUTURE, Duration.ofHours(25), "b"))
        .step("gone", shop -> shop.sell().cancel("hourly"))
        .check(
            (shop, _) -> {
              shop.sell().cancel("daily");
              shop.sell().cancel("hourly");
              assertThat(shop.sell().scheduled()).extracting(Due::element).containsExactly("given");
            });
  }
}
