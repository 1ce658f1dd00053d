package io.holdfast.core.section.commit;

import java.util.ArrayList;
import java.util.List;

/// What is to be done when a section has become durable. Confined to the section's thread.
public final class FollowUps {
  private List<Runnable> whenDurable;
  private List<DurableActions.Action> actions;

  public void whenDurable(Runnable action) {
    if (whenDurable == null) {
      whenDurable = new ArrayList<>();
    }
    whenDurable.add(action);
  }

  public void add(DurableActions.Action action) {
    if (actions == null) {
      actions = new ArrayList<>();
    }
    actions.add(action);
  }

  /// Hands over the program's actions of a section that is about to be seen durable (ACTIONS-1).
  public void handOver(DurableActions to) {
    if (actions != null) {
      to.add(actions);
    }
  }

  /// Hands over everything to the record of a section that waits.
  public void handOver(SectionRecord to) {
    to.whenDurable = whenDurable == null ? List.of() : whenDurable;
    to.actions = actions == null ? List.of() : actions;
  }

  /// The section is durable.
  public void run() {
    if (whenDurable != null) {
      SectionRecord.run(whenDurable);
    }
  }

  public void forget() {
    whenDurable = null;
    actions = null;
  }
}
