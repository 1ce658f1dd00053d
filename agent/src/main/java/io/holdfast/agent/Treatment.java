package io.holdfast.agent;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// What is done to a call.
sealed interface Treatment {
  Construct construct();

  /// Whether it belongs to a lock, so that `@NotFailureAtomic` keeps it out.
  default boolean isOfLock() {
    return this instanceof Twin && construct() != Construct.EDGE;
  }

  /// Whether it is of tasks, which `tasks=off` leaves out.
  default boolean isOfTask() {
    return this instanceof Twin twin && twin.hooks().equals(Hooks.TASKS);
  }

  /// Whether others may see from there on what the thread did before.
  boolean releases();

  /// A static method of core's takes the call's place: it has the receiver as its first parameter,
  /// does what the method does, and tells the section.
  record Twin(Construct construct, ClassDesc hooks, String name, MethodTypeDesc type)
      implements Treatment {
    @Override
    public boolean releases() {
      if (construct == Construct.LOCK) {
        return name.startsWith("unlock")
            || name.startsWith("tryUnlock")
            || name.startsWith("tryConvert");
      }
      // Of threads, all but a start only look; the others are waits.
      return construct != Construct.EDGE || isOfTask() || name.startsWith("start");
    }
  }

  /// Hooks stand before and after the call.
  ///
  /// @param reads whether what another thread wrote may be seen: a hook after it
  /// @param writes whether what this thread did may be seen: a hook before it
  /// @param blocks whether it waits for another thread as a rule
  /// @param fails whether what it throws tells of another thread, too: the hook after it is also
  ///   called then
  record Edge(
      Construct construct,
      boolean reads,
      boolean writes,
      Channel channel,
      boolean blocks,
      boolean fails)
      implements Treatment {
    /// One that tells nothing by what it throws.
    Edge(Construct construct, boolean reads, boolean writes, Channel channel, boolean blocks) {
      this(construct, reads, writes, channel, blocks, false);
    }

    /// The same without a handler, which a constructor can't have before it has called another one.
    Edge withoutHandler() {
      return new Edge(construct, reads, writes, channel, blocks);
    }

    /// Whether it is of tasks: the channel is what is handed over, and what is read is a result.
    @Override
    public boolean isOfTask() {
      return construct == Construct.HANDED || construct == Construct.TASK;
    }

    /// Whether it may be a call of a store's collection.
    boolean mayBeOfCollection() {
      return (construct == Construct.EDGE || asks()) && channel == Channel.RECEIVER;
    }

    /// Whether it is known at run time alone that threads meet there.
    boolean asks() {
      return construct == Construct.SHARED;
    }

    @Override
    public boolean releases() {
      return writes;
    }
  }

  /// What object threads meet at.
  enum Channel {
    /// On which the method is called.
    RECEIVER,
    /// The method's first argument: what a field updater or a `VarHandle` accesses.
    FIRST_ARGUMENT,
    /// None: a static field, by a `VarHandle`; or tasks that the call does not name.
    STATIC
  }
}
