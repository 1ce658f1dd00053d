package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// A store that another thread closes between any two reads of an operation.
class MapClosingTest {
  /// More than an operation has, whose later ones then go through.
  private static final int READS = 80;

  @Test
  void whoWaitsForTheLockIsNotLeftWaiting() throws Exception {
    boolean refused = false;
    for (int read = 0; read < READS; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      MapRegion store = MapRegion.open(memory, 1).create();
      store.put("k", text("former", 100));
      refused |= isRefusedFrom(memory, read, () -> store.put("k", text("new", 100)));
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> store.map().validate());
      assertThat(ends(other)).as("closed at read %d", read).isTrue();
      store.close();
    }
    assertThat(refused).isTrue();
  }

  /// Runs an operation in a section, all of whose reads from the n-th on are refused.
  private static boolean isRefusedFrom(HookedMemory memory, int read, Runnable operation) {
    int[] reads = new int[1];
    memory.beforeEachRead(
        () -> {
          if (reads[0]++ >= read) {
            throw new StoreClosedException("closed");
          }
        });
    SectionHooks.enter();
    try {
      operation.run();
      return false;
    } catch (StoreClosedException e) {
      return true;
    } finally {
      memory.beforeEachRead(() -> {});
      SectionHooks.exit();
    }
  }

  private static boolean ends(CompletableFuture<Void> future) throws InterruptedException {
    try {
      future.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // It was told something, which is all that is asked here.
    } catch (TimeoutException e) {
      return false;
    }
    return true;
  }
}
