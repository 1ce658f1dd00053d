package io.holdfast.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;

/// What was woven in each method of a class, what was not and why, and {@link Advice}: a text for
/// people.
///
/// ```text
/// com.acme.Bank: woven: synchronized methods=1, blocks=1
///   transfer(int)void: synchronized method; block (line 42)
///     likely wrong: a pause in a section: java.lang.Thread.sleep (line 44). …
///   balance()long: nothing to weave: it takes no lock
/// ```
final class Explanation {
  private final StringBuilder text = new StringBuilder();

  private Explanation() {}

  /// @param bytes the class before it was woven
  /// @param result what became of it
  static String of(byte[] bytes, Weaver.Result result) {
    ClassModel model = ClassFile.of().parse(bytes);
    Explanation explanation = new Explanation();
    explanation.head(model, outcome(result));
    for (MethodModel method : model.methods()) {
      explanation.method(method, result);
    }
    return explanation.text.toString();
  }

  /// @param name of a class that was refused
  static String ofRefused(String name, String reason) {
    return "%s: refused, so it does not run: %s%n".formatted(name, reason);
  }

  private static String outcome(Weaver.Result result) {
    if (result.marked()) {
      return "woven before, at build time";
    }
    return result.bytes().isEmpty()
        ? "nothing to weave"
        : "woven: synchronized methods=%d, blocks=%d".formatted(result.methods(), result.blocks());
  }

  private void head(ClassModel model, String outcome) {
    text.append(
        "%s: %s%n".formatted(model.thisClass().asInternalName().replace('/', '.'), outcome));
  }

  private void method(MethodModel method, Weaver.Result result) {
    text.append(
        "  %s%s: %s%n"
            .formatted(
                method.methodName().stringValue(),
                method.methodTypeSymbol().displayDescriptor(),
                woven(method)));
    if (result.waiting().contains(method.methodName().stringValue())) {
      text.append(
          "    not woven: Object.wait: the section goes on while the lock is given up%n"
              .formatted());
    }
    for (String advice : Advice.on(method)) {
      text.append("    likely wrong: %s%n".formatted(advice));
    }
  }

  private static String woven(MethodModel method) {
    if (method.code().isEmpty()) {
      return "nothing to weave: it has no body";
    }
    List<String> woven = new ArrayList<>();
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      woven.add("synchronized method");
    }
    int line = 0;
    for (CodeElement element : method.code().get()) {
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof MonitorInstruction monitor
          && monitor.opcode() == Opcode.MONITORENTER) {
        woven.add(line == 0 ? "block" : "block (line %d)".formatted(line));
      }
    }
    return woven.isEmpty() ? "nothing to weave: it takes no lock" : String.join("; ", woven);
  }
}
