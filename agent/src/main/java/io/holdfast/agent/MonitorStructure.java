package io.holdfast.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// How the monitors of a method nest: how many are held before each instruction, found by walking
/// every path once, as HotSpot's own check of structured locking does (generateOopMap.cpp).
///
/// From this follows what must happen if a hook throws, which is a question because javac's handler
/// of a block covers itself:
///
/// ```text
///   range        target   of synchronized (a) { ... }
///   body, exit   H        the block's own way out
///   H ... athrow H        the handler, in its own range
/// ```
///
/// If *releasing* throws in the body's range, H calls it again: good. If it throws in H, then H
/// calls it again, and again, for ever (FACTS 13). So a hook call gets a handler of its own, a
/// *guard*, which releases the monitor without a report and throws on, unless a handler other than
/// the one in which it stands does the release. And the guard must not be in the range of a handler
/// that would release once more: such ranges get a hole.
///
/// Confined to the weaving of one method. Monitors and handlers are known by their position in the
/// code, counted from 0.
final class MonitorStructure {
  private static final int NOT_REACHED = -1;

  private final ControlFlow flow;
  private final List<CodeElement> elements;
  private final List<ExceptionCatch> handlers;
  private final List<Integer> monitors = new ArrayList<>();
  private final int[] depths;
  private final Deque<Integer> pending = new ArrayDeque<>();
  private boolean balanced = true;

  /// @throws WeavingException if the code has subroutines, whose nesting is not found this way
  MonitorStructure(CodeModel code, Place place) {
    flow = new ControlFlow(code);
    elements = flow.elements();
    handlers = flow.handlers();
    depths = new int[elements.size() + 1];
    Arrays.fill(depths, NOT_REACHED);
    place.restart();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof Instruction instruction) {
        place.at(instruction);
        if (instruction instanceof MonitorInstruction) {
          monitors.add(i);
        } else if (instruction instanceof DiscontinuedInstruction) {
          throw new WeavingException("jsr and ret, of compilers before Java 6, can't be woven");
        }
      }
    }
    reach(0, 0);
    while (!pending.isEmpty()) {
      walk(pending.pop());
    }
  }

  /// Whether a monitor's hook call needs a guard. A method whose monitors don't nest has none:
  /// there is no telling what its handlers release, and HotSpot leaves it to the interpreter
  /// anyway.
  boolean isGuarded(int monitor) {
    int position = monitors.get(monitor);
    if (!balanced || depths[position] == NOT_REACHED) {
      return false;
    }
    return isEnter(position) || !isReleasedByAnother(position);
  }

  /// How many handlers it has.
  int handlers() {
    return handlers.size();
  }

  /// Whether its monitors nest.
  boolean isBalanced() {
    return balanced;
  }

  private boolean isReleasedByAnother(int exit) {
    for (ExceptionCatch handler : handlers) {
      if (catchesAll(handler) && flow.covers(handler, exit)) {
        return depthAt(handler.handler()) == depths[exit]
            && !flow.covers(handler, flow.position(handler.handler()));
      }
    }
    return false;
  }

  /// What must not be in a handler's range: the guard at a monitor, or the hook that follows its
  /// release.
  record Hole(int monitor, boolean isBehind) {}

  /// Those of a handler, in the order of the code: where they throw, less is held than the handler
  /// expects.
  List<Hole> holes(int handler) {
    ExceptionCatch range = handlers.get(handler);
    List<Hole> holes = new ArrayList<>();
    for (int i = 0; i < monitors.size(); i++) {
      int position = monitors.get(i);
      int outside = depths[position] - (isEnter(position) ? 0 : 1);
      if (flow.covers(range, position) && depthAt(range.handler()) > outside) {
        if (isGuarded(i)) {
          holes.add(new Hole(i, false));
        }
        if (!isEnter(position) && balanced) {
          holes.add(new Hole(i, true));
        }
      }
    }
    return holes;
  }

  /// Whether a handler's range ends with a hole.
  boolean endsWithAHole(int handler) {
    List<Hole> holes = holes(handler);
    return !holes.isEmpty()
        && holes.getLast().isBehind()
        && elements
            .subList(
                monitors.get(holes.getLast().monitor()) + 1,
                flow.position(handlers.get(handler).tryEnd()))
            .stream()
            .noneMatch(Instruction.class::isInstance);
  }

  private boolean isEnter(int position) {
    return ((Instruction) elements.get(position)).opcode() == Opcode.MONITORENTER;
  }

  private int depthAt(Label label) {
    return depths[flow.position(label)];
  }

  private static boolean catchesAll(ExceptionCatch handler) {
    return handler.catchType().isEmpty();
  }

  private void reach(int position, int depth) {
    if (depths[position] == NOT_REACHED) {
      depths[position] = depth;
      pending.push(position);
    } else if (depths[position] != depth) {
      balanced = false;
    }
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
    if (mayThrow(instruction)) {
      reachHandlers(position, depth);
    }
    int after = depth + change(instruction.opcode());
    if (after < 0) {
      balanced = false;
      return;
    }
    flow.next(position, instruction, reached -> reach(reached, after));
  }

  private void reachHandlers(int position, int depth) {
    for (ExceptionCatch handler : handlers) {
      if (flow.covers(handler, position)) {
        reach(flow.position(handler.handler()), depth);
        if (catchesAll(handler)) {
          return;
        }
      }
    }
  }

  private static int change(Opcode opcode) {
    return switch (opcode) {
      case MONITORENTER -> 1;
      case MONITOREXIT -> -1;
      default -> 0;
    };
  }

  /// HotSpot's idea of it. That `monitorexit` does not throw is what makes javac's ranges balanced,
  /// which include it.
  private static boolean mayThrow(Instruction instruction) {
    return switch (instruction.opcode().kind()) {
      case LOAD,
          STORE,
          INCREMENT,
          BRANCH,
          LOOKUP_SWITCH,
          TABLE_SWITCH,
          RETURN,
          STACK,
          CONVERT,
          NOP ->
          false;
      case CONSTANT ->
          switch (instruction.opcode()) {
            case LDC, LDC_W, LDC2_W -> true;
            default -> false;
          };
      case OPERATOR ->
          switch (instruction.opcode()) {
            case IDIV, IREM, LDIV, LREM, ARRAYLENGTH -> true;
            default -> false;
          };
      case MONITOR -> instruction.opcode() == Opcode.MONITORENTER;
      default -> true;
    };
  }
}
