package io.holdfast.agent;

import java.util.List;

/// Which classes are woven: those included and not excluded. The JDK's and Holdfast's own never
/// are; a pattern that can mean nothing else is refused, since its user expects something.
final class Scope {
  /// Holdfast's own code reports its sections itself.
  private static final List<String> OWN =
      List.of(
          "io/holdfast/core/",
          "io/holdfast/collections/",
          "io/holdfast/codec/",
          "io/holdfast/agent/");

  private static final String FRONT_DOOR = "io/holdfast/";

  private final AgentOptions options;

  /// @throws IllegalArgumentException if something is included that is never woven
  Scope(AgentOptions options) {
    this.options = options;
    for (ClassPattern included : options.include()) {
      if (isNeverWoven(included.toString().replace('.', '/'))) {
        throw new IllegalArgumentException(
            "include=%s: classes of the JDK and of Holdfast itself are never woven. Name your own, for example %s"
                .formatted(included, AgentOptions.EXAMPLE));
      }
    }
  }

  /// @param internalName of a class, with `/` between its levels
  boolean contains(Module module, String internalName) {
    return !isNeverWoven(internalName)
        && !isJdk(module)
        && anyMatch(options.include(), internalName)
        && !anyMatch(options.exclude(), internalName);
  }

  private static boolean anyMatch(List<ClassPattern> patterns, String internalName) {
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).matches(internalName)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNeverWoven(String internalName) {
    return internalName.startsWith("java/")
        || OWN.stream().anyMatch(internalName::startsWith)
        || internalName.startsWith(FRONT_DOOR)
            && internalName.indexOf('/', FRONT_DOOR.length()) < 0
            && internalName.indexOf('*', FRONT_DOOR.length()) < 0;
  }

  /// By module, not by name: `javax` is the name of many libraries' packages too.
  private static boolean isJdk(Module module) {
    return module.isNamed()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }
}
