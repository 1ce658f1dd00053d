package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.core.section.SectionHooks;
import io.holdfast.stress.kill.Worker;
import java.util.List;

/// {@link Transfer} through plain `synchronized` code ({@link SynchronizedExchange}) under the
/// agent.
public class SynchronizedTransfer extends Transfer {
  private final SynchronizedExchange plain = new SynchronizedExchange(Exchange.BOXES);

  public SynchronizedTransfer() {
    super(new Shape(200, 4, 0));
  }

  @Override
  public String name() {
    return "synchronized";
  }

  @Override
  public List<String> woven() {
    return List.of(SynchronizedExchange.class.getName());
  }

  @Override
  public void setUp(Worker worker) {
    // Otherwise a loop without an agent would be a loop about nothing, or fail for a wrong reason.
    if (plain.isTrueWhileLocked(SectionHooks::inSection) == woven().isEmpty()) {
      throw new IllegalStateException("the agent's work was not as expected: woven=" + woven());
    }
    super.setUp(worker);
  }

  @Override
  void transfer(Holdfast store, Exchange exchange, int thread, int from, int to, int tokens) {
    plain.transfer(
        exchange.boxes(),
        from,
        to,
        tokens,
        List.of(exchange.counts().get(thread), exchange.twins().get(thread)));
  }
}
