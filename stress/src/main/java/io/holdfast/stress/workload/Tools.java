package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.recovery.Compaction;
import io.holdfast.recovery.FileBackup;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.Salvage;
import io.holdfast.recovery.TextExport;
import io.holdfast.recovery.TextImport;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Reopening;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/// Each thread compacts, salvages, backs up, restores, exports and imports a file of its own, under
/// the same names in each life, and is killed in the middle.
///
/// Checked: what has its name is sound and has all (BUILD-1, BACKUP-1, WHOLE-1); and what a kill
/// has left does not keep the next life from making it (WHOLE-3), or the worker would fail.
public final class Tools implements Workload {
  private static final int ENTRIES = 2_000;
  private static final String MADE = "made-";
  private static final String ORIGIN = "origin-";

  /// One backup of a store at a time.
  private static final ReentrantLock BACKUP = new ReentrantLock();

  /// A way to make a file of another one.
  private interface Tool {
    void make(Path origin, Path made) throws IOException;
  }

  private static final Map<String, Tool> TOOLS =
      Map.of(
          "compact", (from, to) -> Compaction.compact(from, to, null, Progress.NONE),
          "salvage", (from, to) -> Salvage.salvage(from, to, null, Progress.NONE),
          "backup", (from, to) -> FileBackup.backup(from, to, Progress.NONE),
          "restore", (from, to) -> FileBackup.restore(from, to, null, Progress.NONE),
          "import", Tools::importText);

  private static void importText(Path from, Path to) throws IOException {
    StringWriter text = new StringWriter();
    TextExport.export(from, text, Progress.NONE);
    TextImport.read(new BufferedReader(new StringReader(text.toString())), to, null, Progress.NONE);
  }

  @Override
  public String name() {
    return "tools";
  }

  private static Map<Long, String> map(Holdfast store) {
    return store.hashMap("map", Long.class, String.class);
  }

  private static Map<Long, String> tree(Holdfast store) {
    return store.treeMap("tree", Long.class, String.class);
  }

  private static Queue<Long> queue(Holdfast store) {
    return store.queue("queue", Long.class);
  }

  @Override
  public void setUp(Worker worker) {
    Holdfast store = worker.store();
    for (long i = queue(store).size(); i < ENTRIES; i++) {
      map(store).put(i, "value " + i);
      tree(store).put(i, "value " + i);
      queue(store).add(i);
    }
  }

  @Override
  public void work(Worker worker, int thread) throws IOException {
    String suffix = "%s.%d".formatted(worker.store().path().getFileName(), thread);
    Path origin = worker.store().path().resolveSibling(ORIGIN + suffix);
    backUp(worker.store(), origin);
    for (long round = 0; ; round++) {
      for (Map.Entry<String, Tool> tool : TOOLS.entrySet()) {
        Path made = origin.resolveSibling("%s%s-%s".formatted(MADE, tool.getKey(), suffix));
        if (!Files.exists(made)) { // of a life that was killed after it
          tool.getValue().make(origin, made);
        }
        if (round % 2 == 0) {
          Files.delete(made);
        }
      }
      worker.acknowledge(thread, round);
    }
  }

  private static void backUp(Holdfast store, Path origin) {
    BACKUP.lock();
    try {
      if (!Files.exists(origin)) {
        store.backup(origin);
      }
    } finally {
      BACKUP.unlock();
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.LONG_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    // That rounds end is all that it says.
  }

  @Override
  public void check(Holdfast store, int lives) {
    String name = store.path().getFileName().toString();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(store.path().getParent(), "{made,origin}-*" + name + ".*")) {
      for (Path file : files) {
        String last = file.getFileName().toString();
        if (!last.endsWith(".part") && !last.endsWith(".lock")) {
          check(file);
          if (last.startsWith(MADE)) {
            Files.deleteIfExists(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(Path made) {
    VerifyReport report = Verification.verify(made, Tools.class.getClassLoader(), Progress.NONE);
    Violation.unless(
        report.verdict() == VerifyReport.Verdict.SOUND,
        "BUILD-1: a file that was made is not sound: %s %s %s",
        made,
        report.summary(),
        report.faults());
    Reopening.of(
        made,
        store -> {
          Violation.unless(
              queue(store).size() == ENTRIES
                  && map(store).size() == ENTRIES
                  && tree(store).size() == ENTRIES,
              "BUILD-1: a file that was made has not all: %s: queue=%d, map=%d, tree=%d, of %d",
              made,
              queue(store).size(),
              map(store).size(),
              tree(store).size(),
              ENTRIES);
          for (long i = 0; i < ENTRIES; i++) {
            Violation.unless(
                ("value " + i).equals(map(store).get(i))
                    && ("value " + i).equals(tree(store).get(i)),
                "BUILD-1: an entry of a file that was made is another one: %s: key=%d",
                made,
                i);
          }
        });
  }
}
