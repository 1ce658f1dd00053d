package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.core.Durability;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of renaming and deleting, and of the opening after it, which goes on
/// where a deletion stopped. What is found must be the state before or after it, and no block may
/// be lost.
@ParameterizedClass
@EnumSource(Durability.class)
class RootsCrashTest {
  private static final Bounds SHORT = new Bounds(8, 10, 8, 100);
  private static final Bounds LONG = new Bounds(3, 3, 3, 40);
  private static final int OUTSIDE = QueueBlocks.MAX_INLINE_BYTES + 1;

  @Parameter Durability durability;

  /// Three queues, each with an element; the first was made first.
  private CrashExplorer<QueueRegion> three(String name) {
    return QueueCrashes.explorer(name, QueueRegion.BYTES, durability)
        .bounds(SHORT)
        .given(
            store -> {
              for (String each : List.of("a", "b", "c")) {
                store.create(each).add("in " + each);
              }
            });
  }

  @Test
  void root3RenamedOrNot() {
    three("rename")
        .step("in the middle", store -> store.rename("b", "between"))
        .step("the newest", store -> store.rename("c", "last"))
        .step("the oldest", store -> store.rename("a", "a name of another size " + text("n", 80)))
        .step("back", store -> store.rename("between", "b"))
        .step(
            "an exchange",
            store ->
                atomically(
                    () -> {
                      store.rename("b", "x");
                      store.rename("last", "b");
                      store.rename("x", "last");
                    }))
        .explore();
  }

  @Test
  void root4DeletedOrNot() {
    three("delete")
        .step("in the middle", store -> store.delete("b"))
        .step("the newest", store -> store.delete("c"))
        .step("the name again", store -> store.create("c"))
        .step("filled", store -> store.queue("c").add("anew"))
        .step("the oldest", store -> store.delete("a"))
        .step("the last", store -> store.delete("c"))
        .step("and anew", store -> store.create("a"))
        .explore();
  }

  @Test
  void root4DeletedWithOtherChanges() {
    three("delete in a section")
        .step(
            "moved and deleted",
            store ->
                atomically(
                    () -> {
                      store.queue("a").addAll(store.queue("b"));
                      store.delete("b");
                      store.rename("a", "both");
                    }))
        .step("made and deleted", store -> atomically(() -> madeAndDeleted(store)))
        .explore();
  }

  private static void madeAndDeleted(QueueRegion store) {
    store.create("t").add("u");
    store.delete("t");
  }

  /// More blocks than a section frees: in the chain, outside of it, in spans of their own, some of
  /// them free already.
  ///
  /// Shows DISPOSAL-1.
  @Test
  void root4NothingLeaks() {
    QueueCrashes.explorer("delete, several sections", QueueRegion.BYTES, durability)
        .bounds(LONG)
        .given(
            store -> {
              PersistentQueue<String> q = store.createUsed("q");
              q.add("taken");
              for (int i = 0; i < 70; i++) {
                q.add(text("o" + i, i % 3 == 0 ? 1_000 : OUTSIDE));
              }
              q.add(text("spans", 40_000));
              q.add("last");
              q.remove();
              assertThat(q.remove(text("o1", OUTSIDE))).isTrue();
              store.create("other").add("stays");
            })
        .step("delete", store -> store.delete("q"))
        .step("use", store -> store.queue("other").add(text("again", OUTSIDE)))
        .explore();
  }
}
