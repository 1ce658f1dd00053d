package io.holdfast.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.List;

/// What was woven in each method of a class, what was not and why, and {@link Advice}: a text for
/// people.
///
/// ```text
/// com.acme.Bank: woven
///   transfer(int)void:
///     synchronized method
///     synchronized block in line 42
///     likely wrong: a pause in a section: java.lang.Thread.sleep (line 44). …
///   balance()long: nothing to weave
/// ```
final class Explanation {
  private final StringBuilder text = new StringBuilder();

  private Explanation() {}

  /// @param bytes the class before it was woven
  /// @param result what became of it
  static String of(byte[] bytes, Weaver.Result result) {
    ClassModel model = ClassFile.of().parse(bytes);
    Explanation explanation = new Explanation();
    explanation.line(
        "%s: %s".formatted(model.thisClass().asInternalName().replace('/', '.'), outcome(result)));
    if (!result.marked()) {
      for (MethodModel method : model.methods()) {
        explanation.method(method, result);
      }
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
    return result.bytes().isEmpty() ? "nothing to weave" : "woven";
  }

  private void line(String line) {
    text.append(line).append(System.lineSeparator());
  }

  private void method(MethodModel method, Weaver.Result result) {
    String name = method.methodName().stringValue();
    String descriptor = method.methodType().stringValue();
    List<WovenMethod.Site> sites =
        result.methods().stream()
            .filter(each -> each.name().equals(name) && each.descriptor().equals(descriptor))
            .flatMap(each -> each.sites().stream())
            .toList();
    line(
        "  %s%s:%s"
            .formatted(
                name,
                method.methodTypeSymbol().displayDescriptor(),
                sites.isEmpty() ? " nothing to weave" : ""));
    for (WovenMethod.Site site : sites) {
      line("    " + site);
    }
    boolean isSection =
        sites.stream()
            .map(WovenMethod.Site::construct)
            .anyMatch(each -> each == Construct.METHOD || each == Construct.ANNOTATED);
    for (String advice : Advice.on(method, isSection)) {
      line("    likely wrong: " + advice);
    }
  }
}
