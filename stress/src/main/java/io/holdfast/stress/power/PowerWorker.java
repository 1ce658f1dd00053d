package io.holdfast.stress.power;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.stress.kill.Survived;
import io.holdfast.testkit.TracedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that changes a store on a disk whose calls are recorded, and then closes it.
public final class PowerWorker {
  /// So small that there are many checkpoints.
  private static final int LOG_BYTES = 4 << 20;

  /// Between which there are quiet points.
  private static final int ROUNDS = 3;

  private PowerWorker() {}

  /// @param args the store, the trace, threads, steps of each, and what an operation waits for
  public static void main(String[] args) throws IOException, InterruptedException {
    Path path = Path.of(args[0]);
    int threads = Integer.parseInt(args[2]);
    long count = Long.parseLong(args[3]);
    if (!Files.exists(path)) {
      Holdfast.open(path).close();
    }
    try (TracedDisk disk = new TracedDisk(Path.of(args[1]))) {
      disk.knows(path);
      try (RegionFile file =
              RegionFile.openOn(path, Disks.logged(disk, LOG_BYTES, Durability.valueOf(args[4])));
          Holdfast store = Holdfast.over(file.memory())) {
        Steps steps = new Steps(store, threads);
        for (long from = 0; from < count; from += count / ROUNDS + 1) {
          long first = from + 1;
          long last = Math.min(count, from + count / ROUNDS + 1);
          List<Thread> all = new ArrayList<>();
          for (int i = 0; i < threads; i++) {
            int thread = i;
            all.add(Thread.ofPlatform().start(() -> run(store, disk, steps, thread, first, last)));
          }
          for (Thread each : all) {
            each.join();
          }
          Survived.POWER_FAILURE_ON_DISK.checkQuiet(store);
        }
      }
    }
  }

  /// Tells what it begins and, behind it, what is safe.
  private static void run(
      Holdfast store, TracedDisk disk, Steps steps, int thread, long first, long last) {
    for (long step = first; step <= last; step++) {
      disk.told(PowerLoop.begun(thread), step);
      steps.take(thread, step);
      if (store.receipt().isSafe() || step % 16 == 0) {
        store.sync();
        disk.told(thread, step);
      }
    }
  }
}
