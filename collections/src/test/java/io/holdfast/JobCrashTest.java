package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
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
import java.util.Queue;
import java.util.TreeMap;

/// Crashes while a job runs, while the next process goes on with it, and while the one after that
/// does. Going on is a part of the opening here, so that it crashes at each of its stores too.
class JobCrashTest {
  private static final int LINES = TestForm.count(4, 5);

  /// A state of more than a word.
  record Cursor(int line, String text) {}

  /// A store with a job that loads lines. Each line leaves something in each kind of collection.
  record Load(Holdfast store) implements AutoCloseable {
    static Load of(Holdfast store) {
      Load load = new Load(store);
      load.counts();
      load.lines();
      load.texts();
      if (!store.jobs().isEmpty()) {
        load.run(LINES);
      }
      return load;
    }

    private Map<Integer, Integer> counts() {
      return store.hashMap("counts", Integer.class, Integer.class);
    }

    private Map<Integer, String> lines() {
      return store.treeMap("lines", Integer.class, String.class);
    }

    private Queue<String> texts() {
      return store.queue("texts", String.class);
    }

    Cursor run(int end) {
      return store.job(
          "load",
          Cursor.class,
          new Cursor(0, "begun"),
          new Job.Options(4, Duration.ofHours(1)),
          (from, job) -> {
            for (int line = from.line(); line < end; line++) {
              counts().merge(line % 2, 1, Integer::sum);
              lines().merge(line, "line " + line, String::concat);
              texts().add(texts().size() + " " + line);
              job.at(new Cursor(line + 1, "behind " + line));
            }
          });
    }

    Object state() {
      return List.of(
          new TreeMap<>(counts()),
          new TreeMap<>(lines()),
          List.copyOf(texts()),
          store.jobs().stream().map(each -> each.state() + " " + each.isFinished()).toList());
    }

    @Override
    public void close() {
      store.close();
    }
  }

  static final class LoadOpener implements StoreOpener<Load> {
    private final HoldfastOpener stores = new HoldfastOpener();

    LoadOpener() {}

    @Override
    public Class<Load> type() {
      return Load.class;
    }

    @Override
    public Load open(Memory memory, Durability durability) {
      return Load.of(stores.open(memory, durability));
    }

    @Override
    public boolean acknowledges() {
      return true;
    }
  }

  private static CrashExplorer<Load> loading(CrashExplorer<Load> explorer) {
    return explorer
        .state(Load::state)
        .step("load", load -> load.run(LINES))
        .check((load, _) -> assertThat(load.run(LINES).line()).isEqualTo(LINES));
  }

  /// From each crash the next process ends the job as one does that nothing disturbed.
  @CrashTest(opener = LoadOpener.class)
  void j1EachLineIsLoadedOnce(CrashExplorer<Load> explorer) {
    loading(explorer).bounds(Bounds.SPARSE).crashesOfRecovery(0);
  }

  /// The process that goes on dies too. A sample of the places of both, in the short form alone:
  /// the thorough one takes many more of each opening.
  @CrashTest(opener = LoadOpener.class)
  void j1TheNextProcessMayDieToo(CrashExplorer<Load> explorer) {
    loading(explorer).bounds(new Bounds(0, 1, 0, 2)).crashesOfRecovery(TestForm.count(1, 0));
  }
}
