package io.holdfast.collections.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every collection with keys lets other threads see.
public abstract class KeyedThreadsContract {
  protected abstract KeyedRegion open(Memory memory);

  /// At each store of a put in an open section somebody reads: what was there before, or the reader
  /// waits for a lock, after which it finds the uncommitted release.
  @Test
  final void nothingIsSeenBeforeItsSectionEnds() throws InterruptedException {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (KeyedRegion store = open(memory)) {
      store.create().put("the key.", "1.......");
      List<Thread> readers = new ArrayList<>();
      List<String> found = Collections.synchronizedList(new ArrayList<>());
      SectionHooks.enter();
      memory.beforeEachStore(
          () -> {
            Thread reader = Thread.ofPlatform().start(() -> found.add(store.get("the key.")));
            readers.add(reader);
            Intruder.awaitEndOrWait(reader);
            assertThat(found).doesNotContain("2.......");
          });
      try {
        store.put("the key.", "2.......");
      } finally {
        memory.beforeEachStore(() -> {});
        for (Thread reader : readers) {
          reader.join();
        }
        SectionHooks.exit();
      }
      assertThat(found).hasSizeGreaterThan(1).contains("2.......");
    }
  }
}
