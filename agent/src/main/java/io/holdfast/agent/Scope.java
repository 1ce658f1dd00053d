package io.holdfast.agent;

import java.util.List;

/// Which classes are woven: those included and not excluded, of the loaders that were named. The
/// JDK's and Holdfast's own never are, nor is Spring Boot's launcher, which finds no class of the
/// program's libraries, and so no hooks; a pattern that can mean nothing else is refused, since its
/// user expects something.
///
/// Immutable. Asked for each class that the JVM loads, so written with loops: a program's start
/// should not pay for the first lambda of its JVM.
final class Scope {
  /// Holdfast's own code reports its sections itself.
  private static final String[] NEVER = {
    "io/holdfast/core/",
    "io/holdfast/collections/",
    "io/holdfast/codec/",
    "io/holdfast/agent/",
    "org/springframework/boot/loader/"
  };

  private static final String FRONT_DOOR = "io/holdfast/";

  private final AgentOptions options;

  /// @throws IllegalArgumentException if something is included that is never woven
  Scope(AgentOptions options) {
    this.options = options;
    for (ClassPattern included : options.include()) {
      if (isNeverWoven(included.toString().replace('.', '/'))) {
        throw new IllegalArgumentException(
            "include=%s: classes of the JDK, of Holdfast itself and of Spring Boot's launcher are never woven. Name your own, for example %s"
                .formatted(included, AgentOptions.EXAMPLE));
      }
    }
  }

  AgentOptions options() {
    return options;
  }

  /// Whether the JVM's class of this name is woven.
  ///
  /// @param loader of the class; `null` for the boot loader
  /// @param internalName of a class, with `/` between its levels
  boolean contains(Module module, ClassLoader loader, String internalName) {
    return contains(internalName) && !isJdk(module) && isOf(loader);
  }

  /// Whether a class file is woven, as far as its name tells.
  ///
  /// @param internalName of a class, with `/` between its levels
  boolean contains(String internalName) {
    return anyMatch(options.include(), internalName)
        && !isNeverWoven(internalName)
        && !anyMatch(options.exclude(), internalName);
  }

  private boolean isOf(ClassLoader loader) {
    if (options.loaders().isEmpty()) {
      return true;
    }
    return loader != null
        && (anyMatch(options.loaders(), loader.getClass().getName().replace('.', '/'))
            || loader.getName() != null
                && anyMatch(options.loaders(), loader.getName().replace('.', '/')));
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
    if (internalName.startsWith("java/")) {
      return true;
    }
    for (String each : NEVER) {
      if (internalName.startsWith(each)) {
        return true;
      }
    }
    return internalName.startsWith(FRONT_DOOR)
        && internalName.indexOf('/', FRONT_DOOR.length()) < 0
        && internalName.indexOf('*', FRONT_DOOR.length()) < 0;
  }

  /// By module, not by name: `javax` is the name of many libraries' packages too.
  private static boolean isJdk(Module module) {
    return module.isNamed()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }
}
