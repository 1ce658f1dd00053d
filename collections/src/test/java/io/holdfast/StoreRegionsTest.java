package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.Regions;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store whose sections end at releases: what is held back, and what blocks and transactions do.
class StoreRegionsTest {
  @TempDir private Path directory;

  private final DurableLock outer = new DurableLock();
  private final DurableLock inner = new DurableLock();
  private Holdfast store;
  private PersistentHashMap<String, Integer> map;

  @BeforeEach
  void open() {
    store =
        Holdfast.open(
            directory.resolve("free.hf"),
            Holdfast.Options.defaults().regions(Regions.SYNCHRONIZATION_FREE));
    map = store.hashMap("map", String.class, Integer.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void releaseInner() {
    inner.lock();
    inner.unlock();
  }

  private Integer seenByAnother(String key) throws Exception {
    return CompletableFuture.supplyAsync(() -> map.get(key)).get(30, TimeUnit.SECONDS);
  }

  @Test
  void aReleaseEndsASection() throws Exception {
    outer.lock();
    try {
      map.put("a", 1);
      assertThat(seenByAnother("a")).isNull();
      releaseInner();
      assertThat(seenByAnother("a")).isEqualTo(1);
      map.put("b", 1);
      assertThat(seenByAnother("b")).isNull();
    } finally {
      outer.unlock();
    }
    assertThat(seenByAnother("b")).isEqualTo(1);
  }

  /// R4.
  @Test
  void r4ATransactionIsUndoneWhole() throws Exception {
    assertThatThrownBy(
            () ->
                store.transaction(
                    () -> {
                      map.put("a", 1);
                      releaseInner();
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(map).isEmpty();
    store.transaction(
        () -> {
          map.put("a", 1);
          releaseInner();
          assertThat(CompletableFuture.supplyAsync(() -> map.get("a")).join()).isNull();
          map.put("b", 1);
        });
    assertThat(map).containsOnlyKeys("a", "b");
  }

  /// R4.
  @Test
  void r4ABlockIsUndoneWhole() {
    assertThatThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      map.put("a", 1);
                      releaseInner();
                      map.put("b", 1);
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(map).isEmpty();
  }

  /// In a job a release ends nothing, and a cut does.
  @Test
  void r4AJobEndsAtItsCuts() {
    store.job(
        "job",
        Integer.class,
        0,
        new Job.Options(1, java.time.Duration.ofHours(1)),
        (from, job) -> {
          for (int i = from; i < 3; i++) {
            map.merge("count", 1, Integer::sum);
            releaseInner();
            job.at(i + 1);
          }
        });
    assertThat(map).containsEntry("count", 3);
  }
}
