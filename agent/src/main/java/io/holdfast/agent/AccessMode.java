package io.holdfast.agent;

import io.holdfast.agent.Treatment.Channel;
import io.holdfast.agent.Treatment.Edge;
import java.lang.constant.MethodTypeDesc;

/// What an access of an atomic, or by a `VarHandle`, is to other threads, by its method's name.
///
/// @param values how many of the method's last parameters are values; those before them are
///   coordinates, which say what is accessed
/// @param reads whether it is at least an acquire
/// @param writes whether it is at least a release
record AccessMode(int values, boolean reads, boolean writes) {
  /// Of a method of an atomic that has effects on memory.
  static AccessMode ofAtomic(String name) {
    return switch (name) {
      case "get", "toString", "intValue", "longValue", "floatValue", "doubleValue" ->
          new AccessMode(0, true, false);
      case "set", "lazySet" -> new AccessMode(1, false, true);
      default -> of(name);
    };
  }

  /// `null` for what is no access, or a plain or opaque one.
  static AccessMode ofVarHandle(String name) {
    boolean accesses =
        name.startsWith("get")
            || name.startsWith("set")
            || name.startsWith("compareAnd")
            || name.startsWith("weakCompareAnd");
    boolean plain =
        name.equals("get")
            || name.equals("set")
            || name.endsWith("Plain")
            || name.endsWith("Opaque");
    return accesses && !plain ? of(name) : null;
  }

  private static AccessMode of(String name) {
    boolean acquire = name.endsWith("Acquire");
    boolean release = name.endsWith("Release");
    if (name.equals("getAcquire") || name.equals("getVolatile")) {
      return new AccessMode(0, true, false);
    }
    if (name.equals("setRelease") || name.equals("setVolatile")) {
      return new AccessMode(1, false, true);
    }
    int values = name.startsWith("compareAnd") || name.startsWith("weakCompareAnd") ? 2 : 1;
    return new AccessMode(values, !release, !acquire);
  }

  /// The treatment of a call by a `VarHandle`.
  Edge edge(String descriptor) {
    int coordinates = MethodTypeDesc.ofDescriptor(descriptor).parameterCount() - values;
    Channel channel = coordinates <= 0 ? Channel.STATIC : Channel.FIRST_ARGUMENT;
    return new Edge(Construct.ATOMIC, reads, writes, channel, false);
  }
}
