package io.holdfast.linearizability;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What threads did, and when: up to eight operations, of which some had returned.
///
/// A history is linearizable if its operations can be put in an order that keeps apart what was
/// apart in time, and in which collections of the JDK answer the same. It is *durably* so with a
/// state if there is such an order of all operations that had returned and some of those that had
/// not, and that state is behind it (Izraelevitz, Mendes and Scott, "Linearizability of Persistent
/// Memory Objects under a Full-System-Crash Failure Model", DISC 2016).
final class History {
  private static final int OPERATIONS_MAX = 8;
  private static final int NEVER = Integer.MAX_VALUE;

  /// An operation, on the collections of a store or of the JDK.
  ///
  /// @param name for messages
  record Operation(String name, Function<Content, Object> action) {
    /// Does it, and tells its result.
    String result(Content content) {
      return String.valueOf(action.apply(content));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// @param begins its place among all beginnings and returns
  /// @param returns the same; {@link #NEVER} if it did not
  /// @param result `null` if it did not return
  private record Call(Operation operation, int begins, int returns, String result) {
    @Override
    public String toString() {
      return operation + (returns == NEVER ? " (in flight)" : " -> " + result);
    }
  }

  private final List<Call> calls;

  private History(List<Call> calls) {
    if (calls.size() > OPERATIONS_MAX) {
      throw new IllegalArgumentException("too many operations: count=" + calls.size());
    }
    this.calls = calls;
  }

  static String begins(int operation) {
    return "begins " + operation;
  }

  static String returns(int operation, String result) {
    return "returns " + operation + " " + result;
  }

  /// @param operations by number
  /// @param notes of {@link #begins} and {@link #returns}, and others
  static History of(List<Operation> operations, List<String> notes) {
    Map<Integer, Call> calls = new HashMap<>();
    for (int i = 0; i < notes.size(); i++) {
      String[] words = notes.get(i).split(" ", 3);
      if (words[0].equals("begins")) {
        int number = Integer.parseInt(words[1]);
        calls.put(number, new Call(operations.get(number), i, NEVER, null));
      } else if (words[0].equals("returns")) {
        int number = Integer.parseInt(words[1]);
        calls.put(
            number, new Call(operations.get(number), calls.get(number).begins(), i, words[2]));
      }
    }
    return new History(List.copyOf(calls.values()));
  }

  /// Whether it fits a state that was found after a crash.
  boolean fits(Content initial, Object state) {
    return fits(initial, calls, state);
  }

  private static boolean fits(Content content, List<Call> left, Object state) {
    if (left.stream().allMatch(call -> call.returns == NEVER) && content.state().equals(state)) {
      return true;
    }
    for (Call next : left) {
      if (left.stream().noneMatch(other -> other.returns < next.begins)) {
        Content after = content.copy();
        String result = next.operation.result(after);
        List<Call> others = new ArrayList<>(left);
        others.remove(next);
        if ((next.result == null || next.result.equals(result)) && fits(after, others, state)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return calls.toString();
  }
}
