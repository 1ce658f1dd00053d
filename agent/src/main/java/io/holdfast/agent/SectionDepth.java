package io.holdfast.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private final List<CodeElement> elements;
  private final Map<Label, Integer> positions = new HashMap<>();
  private final List<ExceptionCatch> handlers = new ArrayList<>();
  private final Deque<Integer> pending = new ArrayDeque<>();
  private final int[] depths;

  /// @param before how many locks the method holds when its body begins
  SectionDepth(CodeModel code, int before) {
    elements = code.elementList();
    depths = new int[elements.size() + 1];
    Arrays.fill(depths, NOT_REACHED);
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        positions.put(target.label(), i);
      } else if (elements.get(i) instanceof ExceptionCatch handler) {
        handlers.add(handler);
      }
    }
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

  private void reach(Label label, int depth) {
    reach(positions.get(label), depth);
  }

  private void walk(int position) {
    if (position == elements.size()) {
      return;
    }
    int depth = depths[position];
    if (!(elements.get(position) instanceof Instruction instruction)) {
      reach(position + 1, depth);
      return;
    }
    for (ExceptionCatch handler : handlers) {
      if (positions.get(handler.tryStart()) <= position
          && position < positions.get(handler.tryEnd())) {
        reach(handler.handler(), depth);
      }
    }
    int after = Math.clamp((long) depth + change(instruction), 0, DEPTH_MAX);
    switch (instruction) {
      case BranchInstruction branch -> reach(branch.target(), after);
      case TableSwitchInstruction table -> reach(table.defaultTarget(), table.cases(), after);
      case LookupSwitchInstruction lookup -> reach(lookup.defaultTarget(), lookup.cases(), after);
      default -> {}
    }
    if (!isLast(instruction.opcode())) {
      reach(position + 1, after);
    }
  }

  private void reach(Label defaultTarget, List<SwitchCase> cases, int depth) {
    reach(defaultTarget, depth);
    for (SwitchCase each : cases) {
      reach(each.target(), depth);
    }
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

  private static boolean isLast(Opcode opcode) {
    return switch (opcode) {
      case GOTO, GOTO_W, ATHROW, TABLESWITCH, LOOKUPSWITCH -> true;
      default -> opcode.kind() == Opcode.Kind.RETURN;
    };
  }
}
