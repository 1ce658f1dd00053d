package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.explorer.Baton;
import io.holdfast.core.explorer.HookedMemory;
import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.section.SectionHooks;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// A store that is closed while a thread is in the middle of a section.
class CloseInASectionTest {
  private static Queue<String> from(Holdfast store) {
    return store.queue("from", String.class);
  }

  private static Queue<String> to(Holdfast store) {
    return store.queue("to", String.class);
  }

  @Test
  void close1WhatIsRefusedSomethingIsUndone() {
    RecordingMemory file = new RecordingMemory();
    HookedMemory memory = new HookedMemory(file);
    try (Baton threads = new Baton()) {
      Holdfast store = Holdfast.over(memory);
      Queue<String> from = from(store);
      Queue<String> to = to(store);
      from.add("element");
      threads.run(
          "mover",
          () -> {
            SectionHooks.enter();
            from.remove();
          });
      memory.beforeClose(
          () ->
              threads.run(
                  "mover",
                  () -> {
                    assertThatThrownBy(() -> to.add("element"))
                        .isInstanceOf(StoreClosedException.class);
                    SectionHooks.exit();
                  }));
      store.close();
    }
    try (Holdfast store = Holdfast.over(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(from(store)).containsExactly("element");
      assertThat(to(store)).isEmpty();
    }
  }
}
