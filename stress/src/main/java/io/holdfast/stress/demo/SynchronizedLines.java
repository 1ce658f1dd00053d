package io.holdfast.stress.demo;

import io.holdfast.Holdfast;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.stress.kill.Worker;
import java.util.List;

/// Lines moved by plain `synchronized` code, which the agent makes failure-atomic.
public final class SynchronizedLines extends LineWorkload {
  private final PlainPump feeding = new PlainPump();
  private final PlainPump moving = new PlainPump();

  @Override
  public String name() {
    return "synchronized";
  }

  @Override
  public List<String> woven() {
    return List.of(PlainPump.class.getName());
  }

  @Override
  public void setUp(Worker worker) {
    // Without the agent's work the demo would lose lines, and show nothing.
    if (!feeding.call(SectionHooks::inSection)) {
      throw new IllegalStateException("the agent has not woven " + PlainPump.class.getName());
    }
    super.setUp(worker);
  }

  @Override
  void feed(Holdfast store, Pipe to, Text from) {
    feeding.call(
        () -> {
          to.feed(from);
          return null;
        });
  }

  @Override
  Line move(Holdfast store, Pipe through) {
    return moving.call(through::move);
  }
}
