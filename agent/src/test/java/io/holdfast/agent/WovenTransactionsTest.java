package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Transactions inside of woven code, and woven code inside of transactions.
@Timeout(60)
class WovenTransactionsTest {
  private final Object lock = new Object();
  private final Object inner = new Object();
  private final WovenMonitors woven = new WovenMonitors(WovenLoader.real());

  @TempDir Path directory;
  private Holdfast store;
  private ConcurrentMap<String, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("store.hf"));
    map = store.hashMap("map", String.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void synchronizedOn(Object monitor, Runnable body) {
    try {
      woven.call("block", monitor, body);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private Long othersFind(String key) {
    return CompletableFuture.supplyAsync(() -> map.get(key)).join();
  }

  @Test
  void t7InALockItIsPartOfTheSection() {
    synchronizedOn(
        lock,
        () -> {
          map.put("a", 1L);
          assertThatIllegalArgumentException()
              .isThrownBy(
                  () ->
                      store.transaction(
                          () -> {
                            map.put("b", 2L);
                            throw new IllegalArgumentException("no");
                          }));
          store.transaction(() -> map.merge("a", 10L, Long::sum));
          assertThat(map).containsEntry("a", 11L).hasSize(1);
          assertThat(othersFind("a")).isNull();
          assertThatIllegalStateException()
              .isThrownBy(() -> store.transaction(() -> Transaction.retry()));
        });
    assertThat(map).containsEntry("a", 11L).hasSize(1);
  }

  @Test
  void t5ALockInABodyEndsNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      map.put("a", 1L);
                      synchronizedOn(lock, () -> map.put("b", 2L));
                      assertThat(othersFind("b")).isNull();
                      throw new IllegalArgumentException("no");
                    }));
    assertThat(map).isEmpty();
    store.transaction(() -> synchronizedOn(lock, () -> map.put("b", 2L)));
    assertThat(othersFind("b")).isEqualTo(2);
  }

  @Test
  void held1AnInnerReleaseStoresWhatIsHeldBack() {
    synchronizedOn(
        lock,
        () -> {
          synchronizedOn(inner, () -> map.put("a", 1L));
          assertThat(othersFind("a")).isEqualTo(1);
          map.put("b", 2L);
          assertThat(othersFind("b")).isNull();
        });
    assertThat(map).hasSize(2);
  }
}
