package io.holdfast.stress.workload;

import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.stress.kill.Worker;
import java.util.List;

/// {@link Transfer} through plain code under the agent.
public class PlainTransfer extends Transfer {
  private final String style;
  private final PlainExchange plain;

  /// @param plain what the agent weaves
  PlainTransfer(String style, PlainExchange plain) {
    super(new Shape(200, 4, 0));
    this.style = style;
    this.plain = plain;
  }

  @Override
  final String style() {
    return style;
  }

  @Override
  public List<String> woven() {
    return List.of(plain.getClass().getName());
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
  void transfer(Worker worker, Exchange exchange, int thread, int from, int to, int tokens) {
    try {
      plain.transfer(
          exchange.boxes(),
          from,
          to,
          tokens,
          List.of(exchange.counts().get(thread), exchange.twins().get(thread)));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts workers", e);
    }
  }
}
