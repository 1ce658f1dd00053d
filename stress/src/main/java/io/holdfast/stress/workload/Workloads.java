package io.holdfast.stress.workload;

import io.holdfast.stress.example.BankExample;
import io.holdfast.stress.example.BufferExample;
import io.holdfast.stress.example.InventoryExample;
import io.holdfast.stress.example.SchedulerExample;
import io.holdfast.stress.kill.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The workloads by name, in the order in which they run.
public final class Workloads {
  private static final Map<String, Supplier<Workload>> ALL = new LinkedHashMap<>();

  static {
    List<Supplier<Workload>> all =
        List.of(
            AtomicTransfer::new,
            SynchronizedTransfer::new,
            ReentrantTransfer::new,
            ReadWriteTransfer::new,
            WaitingTransfer::new,
            LockedTransfer::new,
            AcknowledgedStreams::new,
            LargeSections::new,
            Openings::new,
            Closings::new,
            GrowingStreams::new,
            Breathing::new,
            AcknowledgedChanges::new,
            GrowingChanges::new,
            Accounts::new,
            MapBatches::new,
            TreeChanges::new,
            GrowingTrees::new,
            IndexedAccounts::new,
            Payments::new,
            Backups::new,
            BankExample::new,
            InventoryExample::new,
            BufferExample::new,
            SchedulerExample::new);
    all.forEach(each -> ALL.put(each.get().name(), each));
  }

  /// All names.
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /// Makes workloads.
  ///
  /// @throws IllegalArgumentException if there is none of this name
  public static Supplier<Workload> named(String name) {
    Supplier<Workload> found = ALL.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "no such workload: name=%s, allowed=%s".formatted(name, names()));
    }
    return found;
  }

  private Workloads() {}
}
