package io.holdfast.stress.example;

import com.example.buffer.BoundedBuffer;
import com.example.buffer.Consumer;
import com.example.buffer.Item;
import com.example.buffer.Producer;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.ArrayList;
import java.util.List;

/// Producers and consumers at a bounded buffer, which wait inside of the section that counts.
/// Checked: of each producer, what was taken and what is in the buffer are together what was made,
/// in its order.
public final class BufferExample extends Example {
  private static final int CAPACITY = 5;
  private static final int PRODUCERS = 2;

  private BoundedBuffer<Item> buffer;
  private Consumer consumer;
  private List<Producer> producers;

  public BufferExample() {
    super("buffer");
  }

  private static PersistentQueue<Item> items(Holdfast store) {
    return store.queue("buffer", Item.class);
  }

  private static List<PersistentQueue<Long>> counters(Holdfast store, String kind) {
    return names(kind, PRODUCERS).stream().map(each -> store.queue(each, Long.class)).toList();
  }

  @Override
  Probe<?> tryOut() {
    Probe<Item> elements = new Probe<>();
    try {
      new BoundedBuffer<>(elements, CAPACITY).put(new Item(0, 0));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the start", e);
    }
    return elements;
  }

  @Override
  void fill(Worker worker) {
    List<PersistentQueue<Long>> made = counters(worker.store(), "made");
    List<PersistentQueue<Long>> taken = counters(worker.store(), "taken");
    buffer = new BoundedBuffer<>(items(worker.store()), CAPACITY);
    consumer = new Consumer(buffer, List.copyOf(taken));
    producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      if (made.get(i).isEmpty()) {
        made.get(i).add(0L);
        taken.get(i).add(0L);
      }
      producers.add(new Producer(i, buffer, made.get(i)));
    }
  }

  /// The first threads produce, the others consume: there must be three threads.
  @Override
  public void work(Worker worker, int thread) throws InterruptedException {
    while (true) {
      if (thread < PRODUCERS) {
        producers.get(thread).produce();
      } else {
        consumer.consume();
      }
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    List<PersistentQueue<Long>> made = counters(store, "made");
    List<PersistentQueue<Long>> taken = counters(store, "taken");
    List<Item> items = new ArrayList<>(items(store));
    Violation.unless(
        items.size() == items(store).validate() && items.size() <= CAPACITY,
        "P1 atomic: the buffer holds too much: %s",
        items);
    for (int i = 0; i < PRODUCERS; i++) {
      long next = numberIn(taken.get(i));
      for (Item item : items) {
        if (item.producer() == i) {
          Violation.unless(
              item.number() == next, "P1 atomic: not the next, which is %d: %s", next, item);
          next++;
        }
      }
      Violation.unless(
          next == numberIn(made.get(i)),
          "P1 atomic: items were made or lost: producer=%d, counted=%d, taken or in the buffer=%d",
          i,
          numberIn(made.get(i)),
          next);
    }
  }

  private static long numberIn(PersistentQueue<Long> counter) {
    long size = counter.validate();
    Violation.unless(size <= 1, "P1 atomic: a counter holds several numbers: %s", counter);
    return size == 0 ? 0 : counter.element();
  }
}
