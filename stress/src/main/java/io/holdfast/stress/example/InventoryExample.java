package io.holdfast.stress.example;

import com.example.inventory.Inventory;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Items are reserved, shipped, taken back, and counted. Checked: each is in one place; a count in
/// between, too, finds all.
public final class InventoryExample extends Example {
  private static final int ITEMS = 100;

  private Inventory inventory;

  public InventoryExample() {
    super("inventory");
  }

  private static PersistentQueue<String> place(Holdfast store, String name) {
    return store.queue(name, String.class);
  }

  @Override
  Probe<?> tryOut() {
    Probe<String> shelf = new Probe<>();
    Probe<String> reserved = new Probe<>();
    shelf.add("item");
    new Inventory(shelf, reserved, new Probe<>()).reserve();
    return reserved;
  }

  @Override
  void fill(Worker worker) {
    PersistentQueue<String> shelf = place(worker.store(), "shelf");
    PersistentQueue<String> reserved = place(worker.store(), "reserved");
    PersistentQueue<String> shipped = place(worker.store(), "shipped");
    if (shelf.isEmpty() && reserved.isEmpty() && shipped.isEmpty()) {
      shelf.addAll(names("item", ITEMS));
    }
    inventory = new Inventory(shelf, reserved, shipped);
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      switch (random.nextInt(4)) {
        case 0 -> inventory.reserve();
        case 1 -> inventory.ship();
        case 2 -> inventory.takeBack();
        default -> {
          int count = inventory.count();
          if (count != ITEMS) {
            throw new IllegalStateException("items were made or lost: " + count);
          }
        }
      }
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    PersistentQueue<String> shelf = place(store, "shelf");
    PersistentQueue<String> reserved = place(store, "reserved");
    PersistentQueue<String> shipped = place(store, "shipped");
    long found = shelf.validate() + reserved.validate() + shipped.validate();
    Set<String> doubles = doubles(List.of(shelf, reserved, shipped));
    Violation.unless(
        (found == 0 || found == ITEMS) && doubles.isEmpty(),
        "P1 atomic: items were made or lost: found=%d, expected=%d, in two places=%s",
        found,
        ITEMS,
        doubles);
  }
}
