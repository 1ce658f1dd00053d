package io.holdfast.stress.publication;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.StoreClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The store itself, closed while a thread moves an element from queue to queue in a section; then
/// it is opened again. A thread that was not refused finds the element moved; a thread that was may
/// find it either here or there, but in one place: a section that is refused something is undone
/// (CLOSE-1).
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Moved.")
@Outcome(
    id = "0, [12]",
    expect = Expect.ACCEPTABLE,
    desc = "Refused: not moved, or moved before the refusal.")
@Outcome(
    expect = Expect.FORBIDDEN,
    desc = "Nowhere, in both places, or not where it was said to be.")
@State
public class StoreThatIsClosed {
  private static final Path DIRECTORY = QueuePool.STORE.path().getParent();
  private static final AtomicInteger MADE = new AtomicInteger();

  private final Path file = DIRECTORY.resolve("closed-%d.hf".formatted(MADE.incrementAndGet()));
  private final Holdfast store = Holdfast.open(file);
  private final PersistentQueue<Integer> from = store.queue("from", Integer.class);
  private final PersistentQueue<Integer> to = store.queue("to", Integer.class);

  public StoreThatIsClosed() {
    from.add(1);
  }

  @Actor
  public void closer() {
    store.close();
  }

  @Actor
  public void mover(II_Result result) {
    try {
      store.atomically(() -> to.add(from.remove()));
      result.r1 = 1;
    } catch (StoreClosedException _) {
      result.r1 = 0;
    }
  }

  /// After both.
  @Arbiter
  public void openAgain(II_Result result) {
    try (Holdfast again = Holdfast.open(file)) {
      result.r2 =
          again.queue("from", Integer.class).size() + 2 * again.queue("to", Integer.class).size();
    }
    try {
      Files.delete(file);
      Files.delete(file.resolveSibling(file.getFileName() + ".lock"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
