package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Threads move tokens between queues, or maps, and count their transfers, each transfer in one
/// section.
///
/// Checked: each token is there exactly once; both counters of a thread agree; and no counter is
/// behind what its thread acknowledged. A thread acknowledges after `sync`, and calls that only now
/// and then: in between sections depend on each other across threads, and long chains of them wait.
public abstract class Transfer implements Workload {
  /// How much is done.
  ///
  /// @param tokens in all queues together
  /// @param most tokens of one transfer
  /// @param transfers of a thread before the store is closed; 0 for no end
  record Shape(int tokens, int most, int transfers) {}

  private final Shape shape;
  private Boxes boxes = Boxes.QUEUES;
  private Exchange exchange;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  Transfer(Shape shape) {
    this.shape = shape;
  }

  /// The same, with the tokens in other collections.
  final Transfer in(Boxes kind) {
    boxes = kind;
    return this;
  }

  @Override
  public final String name() {
    return style() + boxes.suffix();
  }

  /// How it is called with the tokens in queues.
  abstract String style();

  @Override
  public final Map<String, String> parameters() {
    return Map.of(Boxes.PARAMETER, boxes.name());
  }

  final Exchange exchange(Holdfast store, int threads) {
    return Exchange.in(store, boxes, threads);
  }

  @Override
  public void setUp(Worker worker) {
    boxes = Boxes.valueOf(worker.parameter(Boxes.PARAMETER));
    Exchange opened = exchange(worker.store(), worker.threads());
    worker.store().atomically(() -> opened.fill(shape.tokens()));
    exchange = opened;
  }

  @Override
  public void work(Worker worker, int thread) {
    transfer(worker, thread, shape.transfers());
  }

  /// @param transfers 0 for no end
  final void transfer(Worker worker, int thread, int transfers) {
    RandomGenerator random = worker.random(thread);
    for (int i = 0; transfers == 0 || i < transfers; i++) {
      int from = random.nextInt(Exchange.BOXES);
      int to = (from + 1 + random.nextInt(Exchange.BOXES - 1)) % Exchange.BOXES;
      transfer(worker, exchange, thread, from, to, 1 + random.nextInt(shape.most()));
      if (random.nextInt(6) == 0) {
        worker.store().sync();
        worker.acknowledge(thread, exchange.counts().get(thread).element());
      }
    }
  }

  /// Moves tokens from one box to another and increments both counters of the thread, all in one
  /// section.
  abstract void transfer(
      Worker worker, Exchange exchange, int thread, int from, int to, int tokens);

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    acknowledged.set(channel, number);
  }

  @Override
  public void check(Holdfast store, int lives) {
    Exchange found = exchange(store, acknowledged.threads());
    found.checkTokens(shape.tokens());
    acknowledged.checkTransfers(found::count);
    check(store, found, acknowledged.threads());
  }

  /// What else must hold.
  ///
  /// @param threads so many of them have acknowledged something
  void check(Holdfast store, Exchange found, int threads) {
    // nothing else is promised here
  }
}
