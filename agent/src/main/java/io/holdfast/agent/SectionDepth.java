package io.holdfast.agent;

import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;

/// How many locks a method may hold before each of its instructions, by what it takes itself: an
/// estimate from above, for advice. {@link MonitorStructure} is exact, and knows monitors alone.
///
/// Where two paths meet, the larger number counts. A `tryLock` counts as if it had taken the lock.
///
/// Confined to the reading of one method.
final class SectionDepth {
  private static final int NOT_REACHED = -1;

  /// Deeper is not told apart, so that a loop that takes locks without end comes to an end here.
  private static final int DEPTH_MAX = 16;

  private static final String LOCKS = "java/util/concurrent/locks/";
  private static final Set<String> TAKES =
      Set.of("lock", "lockInterruptibly", "tryLock", "readLock", "writeLock");
  private static final Set<String> GIVES_UP =
      Set.of("unlock", "unlockRead", "unlockWrite", "tryUnlockRead", "tryUnlockWrite");

  private final ControlFlow flow;
  private final Deque<Integer> pending = new ArrayDeque<>();
  private final int[] depths;

  /// @param before how many locks the method holds when its body begins
  SectionDepth(CodeModel code, int before) {
    flow = new ControlFlow(code);
    depths = new int[flow.elements().size() + 1];
    Arrays.fill(depths, NOT_REACHED);
    reach(0, before);
    while (!pending.isEmpty()) {
      walk(pending.pop());
    }
  }

  /// @param element its position among the code's elements
  /// @return at most this many locks; 0 for code that is never reached
  int before(int element) {
    return Math.max(0, depths[element]);
  }

  private void reach(int position, int depth) {
    if (depth > depths[position]) {
      depths[position] = depth;
      pending.push(position);
    }
  }

  private void walk(int position) {
    if (position == flow.elements().size()) {
      return;
    }
    int depth = depths[position];
    if (!(flow.elements().get(position) instanceof Instruction instruction)) {
      reach(position + 1, depth);
      return;
    }
    for (ExceptionCatch handler : flow.handlers()) {
      if (flow.covers(handler, position)) {
        reach(flow.position(handler.handler()), depth);
      }
    }
    int after = Math.clamp((long) depth + change(instruction), 0, DEPTH_MAX);
    flow.next(position, instruction, reached -> reach(reached, after));
  }

  private static int change(Instruction instruction) {
    return switch (instruction.opcode()) {
      case MONITORENTER -> 1;
      case MONITOREXIT -> -1;
      default -> instruction instanceof InvokeInstruction call ? change(call) : 0;
    };
  }

  /// `readLock` and `writeLock` take a lock only of a StampedLock; a ReadWriteLock's return one.
  private static int change(InvokeInstruction call) {
    String name = call.name().stringValue();
    if (!call.owner().asInternalName().startsWith(LOCKS)) {
      return 0;
    }
    if (GIVES_UP.contains(name)) {
      return -1;
    }
    boolean takes = TAKES.contains(name) && !call.type().stringValue().endsWith(";");
    return takes ? 1 : 0;
  }
}
