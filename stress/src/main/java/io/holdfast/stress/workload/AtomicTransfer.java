package io.holdfast.stress.workload;

import io.holdfast.stress.kill.Worker;

/// {@link Transfer} through `Holdfast.atomically`: threads see each other's unfinished transfers,
/// and stand and fall with them.
public class AtomicTransfer extends Transfer {
  public AtomicTransfer() {
    this(new Shape(200, 4, 0));
  }

  AtomicTransfer(Shape shape) {
    super(shape);
  }

  @Override
  String style() {
    return "transfer";
  }

  @Override
  void transfer(Worker worker, Exchange exchange, int thread, int from, int to, int tokens) {
    worker.atomically(
        thread,
        () -> {
          Exchange.move(exchange.boxes().get(from), exchange.boxes().get(to), tokens);
          Exchange.increment(exchange.counts().get(thread));
          Exchange.increment(exchange.twins().get(thread));
        });
  }
}
