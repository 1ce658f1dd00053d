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
  private static final Map<String, Supplier<Workload>> FURTHER = new LinkedHashMap<>();

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
            Transactions::new,
            ExactlyOnce::new,
            Delays::new,
            HandOverHand::new,
            LongJobs::new,
            Workers::new,
            LockedWorkers::new,
            KeyWorkers::new,
            Backups::new,
            Tools::new,
            NamedRoots::new,
            BankExample::new,
            InventoryExample::new,
            BufferExample::new,
            SchedulerExample::new);
    all.forEach(each -> ALL.put(each.get().name(), each));
    List<Supplier<Transfer>> styles =
        List.of(
            AtomicTransfer::new,
            SynchronizedTransfer::new,
            ReentrantTransfer::new,
            ReadWriteTransfer::new,
            WaitingTransfer::new,
            LockedTransfer::new,
            Closings::new);
    for (Boxes boxes : List.of(Boxes.MAPS, Boxes.TREES)) {
      for (Supplier<Transfer> style : styles) {
        FURTHER.put(style.get().in(boxes).name(), () -> style.get().in(boxes));
      }
    }
  }

  /// Those that run unless others are named.
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /// Each style of lock once more with each kind of collection.
  public static List<String> furtherNames() {
    return List.copyOf(FURTHER.keySet());
  }

  /// Makes workloads.
  ///
  /// @throws IllegalArgumentException if there is none of this name
  public static Supplier<Workload> named(String name) {
    Supplier<Workload> found = ALL.getOrDefault(name, FURTHER.get(name));
    if (found == null) {
      throw new IllegalArgumentException(
          "no such workload: name=%s, allowed=%s %s".formatted(name, names(), furtherNames()));
    }
    return found;
  }

  private Workloads() {}
}
