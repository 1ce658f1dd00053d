package io.holdfast.agent;

import java.lang.System.Logger.Level;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/// What the JVM calls for each class file: weaves those in scope, or refuses them. Never throws
/// (FACTS 12).
///
/// Thread-safe.
final class SectionTransformer implements ClassFileTransformer {
  private final Scope scope;
  private final HookAccess hooks;
  private final Instrumentation instrumentation;

  /// `null` before something in scope was loaded, or a store opened.
  private WovenCounts counts;

  /// `null` if nobody wants any.
  private final Explanations explanations;

  /// Classes that were not woven when they were loaded.
  private final Set<Class<?>> loadedUnwoven =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  SectionTransformer(Scope scope, Instrumentation instrumentation, Explanations explanations) {
    this.scope = scope;
    this.instrumentation = instrumentation;
    this.hooks = new HookAccess(instrumentation);
    this.explanations = explanations;
  }

  /// From now on the class's methods keep their modifiers: the JVM allows no other change.
  void keepModifiersOf(Class<?> loaded) {
    loadedUnwoven.add(loaded);
  }

  private synchronized WovenCounts counts() {
    if (counts == null) {
      counts = new WovenCounts();
    }
    return counts;
  }

  /// @return `null` to leave the class as it is
  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String internalName,
      Class<?> loaded,
      ProtectionDomain domain,
      byte[] bytes) {
    try {
      if (internalName == null || !scope.contains(module, loader, internalName)) {
        if (FirstOpening.CLASS.equals(internalName) && loaded == null) {
          new FirstOpening(counts(), scope.options()).begin(instrumentation, module, loader);
        }
        return null;
      }
      return weaveOrRefuse(module, loader, internalName, loaded, bytes);
    } catch (
        Throwable e) { // whatever it is, an error of the JVM too: thrown on, it would be ignored
      return Refusal.NOT_A_CLASS;
    }
  }

  private byte[] weaveOrRefuse(
      Module module, ClassLoader loader, String internalName, Class<?> loaded, byte[] bytes) {
    String name = internalName.replace('/', '.');
    try {
      boolean keepsModifiers = loaded != null && loadedUnwoven.contains(loaded);
      Weaver.Result result = Weaver.weave(bytes, loader, keepsModifiers, scope.options().extras());
      counts().add(result);
      warnOfWhatIsNotWoven(name, result);
      if (explanations != null) {
        explanations.write(Explanation.of(bytes, result));
      }
      if (result.bytes().isPresent() || result.marked()) {
        hooks.grant(module, loader);
      }
      return result.bytes().orElse(null);
    } catch (WeavingException e) {
      if (explanations != null) {
        explanations.write(Explanation.ofRefused(name, e.getMessage()));
      }
      String message =
          "%s is in the scope of the Holdfast agent but can't be woven, so it does not run: %s. Change it, or give up its sections with exclude=%s"
              .formatted(name, e.getMessage(), name);
      HoldfastAgent.log(Level.ERROR, message, e);
      Refusal refusal = new Refusal(message);
      return loaded != null ? refusal.ofLoaded(bytes) : refusal.ofNew(internalName, bytes);
    }
  }

  private static void warnOfWhatIsNotWoven(String name, Weaver.Result result) {
    for (WovenMethod method : result.methods()) {
      for (WovenMethod.Site site : method.sites()) {
        if (site.construct() == Construct.NOT_WOVEN) {
          HoldfastAgent.log(
              Level.WARNING,
              "%s.%s: %s. Sections do not begin, end or depend there"
                  .formatted(name, method.name(), site),
              null);
        }
      }
    }
    if (!result.lacking().isEmpty()) {
      HoldfastAgent.log(
          Level.WARNING,
          "%s: its class loader does not find the files of classes that tell the types in its code: %s. If the JVM refuses it with a VerifyError, have the loader's getResourceAsStream find them, or give up its sections with exclude=%s"
              .formatted(name, result.lacking(), name),
          null);
    }
  }
}
