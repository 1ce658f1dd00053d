package io.holdfast.agent;

import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/// Sees to it that a woven class can call the hooks: that its loader finds them, and that the
/// module system lets it.
final class HookAccess {
  private final Instrumentation instrumentation;

  /// Modules that have been seen to. Only success is remembered: a loader may get a longer class
  /// path.
  private final Set<Module> granted = Collections.newSetFromMap(new WeakHashMap<>());

  HookAccess(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /// @param loader of the woven class; `null` for the boot loader
  /// @throws WeavingException if the loader does not find the hooks
  void grant(Module module, ClassLoader loader) {
    synchronized (granted) {
      if (granted.contains(module)) {
        return;
      }
    }
    Module hooks = hooksSeenBy(loader).getModule(); // calls the loader's code: not under our lock
    if (!module.canRead(hooks)) {
      instrumentation.redefineModule(module, Set.of(hooks), Map.of(), Map.of(), Set.of(), Map.of());
    }
    if (!hooks.isExported(Hooks.PACKAGE, module)) {
      instrumentation.redefineModule(
          hooks, Set.of(), Map.of(Hooks.PACKAGE, Set.of(module)), Map.of(), Set.of(), Map.of());
    }
    synchronized (granted) {
      granted.add(module);
    }
  }

  private Class<?> hooksSeenBy(ClassLoader loader) {
    try {
      // HOOKS-1 of core: here there is stack left, as a rule; where they are called first, who
      // knows. Test: StackOverflowTest.hooksSurviveAStackThatOverflows.
      for (String hooks : Hooks.CLASSES) {
        Class.forName(hooks, true, loader);
      }
      return Class.forName(Hooks.CLASS, false, loader);
    } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
      if (loader != null) {
        return new HookBridge(instrumentation).into(loader);
      }
      throw new WeavingException(
          "the boot loader does not find the hooks: class=%s. Classes on -Xbootclasspath/a can't be woven"
              .formatted(Hooks.CLASS),
          e);
    }
  }
}
