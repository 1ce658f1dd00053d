package io.holdfast.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.List;
import java.util.stream.Collectors;

/// What was woven in each method of a class, what was not and why, and {@link Advice}: a text for
/// people. In brief it is a line for each method that has something, and the advice.
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
  private final boolean isBrief;
  private final boolean tellsReleases;

  private Explanation(boolean isBrief, boolean tellsReleases) {
    this.isBrief = isBrief;
    this.tellsReleases = tellsReleases;
  }

  /// @param bytes the class before it was woven
  /// @param result what became of it
  static String of(byte[] bytes, Weaver.Result result) {
    return of(bytes, result, false, false);
  }

  /// The same, in brief or not; in brief it is empty if there is nothing to say.
  ///
  /// @param tellsReleases whether it says what ends a section in a store that is opened with
  ///   `Regions.SYNCHRONIZATION_FREE`
  static String of(byte[] bytes, Weaver.Result result, boolean isBrief, boolean tellsReleases) {
    return new Explanation(isBrief, tellsReleases).text(bytes, result);
  }

  private String text(byte[] bytes, Weaver.Result result) {
    ClassModel model = ClassFile.of().parse(bytes);
    line("%s: %s".formatted(model.thisClass().asInternalName().replace('/', '.'), outcome(result)));
    int head = text.length();
    if (!result.marked()) {
      for (MethodModel method : model.methods()) {
        method(method, result);
      }
    }
    boolean isSilent = text.length() == head && !result.marked();
    return isBrief && isSilent ? "" : text.toString();
  }

  /// @param name of a class that was refused
  static String ofRefused(String name, String reason) {
    return "%s: refused, so it does not run: %s%n".formatted(name, reason);
  }

  private static String outcome(Weaver.Result result) {
    if (result.marked()) {
      return "woven before, at build time";
    }
    if (result.isWoven()) {
      return "woven";
    }
    return result.bytes().isEmpty()
        ? "nothing to weave"
        : "woven, calls of collections and possible tasks alone";
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
            .filter(each -> !isBrief || each.construct().isTold())
            .toList();
    boolean isSection =
        sites.stream()
            .map(WovenMethod.Site::construct)
            .anyMatch(each -> each == Construct.METHOD || each == Construct.ANNOTATED);
    List<String> advice = Advice.on(method, isSection);
    if (isBrief && sites.isEmpty() && advice.isEmpty()) {
      return;
    }
    String head = "  " + name + method.methodTypeSymbol().displayDescriptor() + ":";
    if (sites.isEmpty()) {
      line(head + " nothing to weave");
    } else if (isBrief) {
      line(
          sites.stream()
              .map(WovenMethod.Site::toString)
              .distinct()
              .collect(Collectors.joining(", ", head + " ", "")));
    } else {
      line(head);
      sites.forEach(site -> line("    " + site));
    }
    if (tellsReleases && sites.stream().anyMatch(WovenMethod.Site::releases)) {
      line(
          sites.stream()
              .filter(WovenMethod.Site::releases)
              .map(WovenMethod.Site::toString)
              .distinct()
              .collect(Collectors.joining(", ", "    ends a section: ", "")));
    }
    advice.forEach(each -> line("    likely wrong: " + each));
  }
}
