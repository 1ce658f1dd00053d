package io.holdfast.stress.faults;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Map;

/// Puts faults into the compiled code of core and collections while it runs, one at a time.
///
/// With a site as its argument it has that fault from the start, which is the only way for those of
/// declarations ({@link FaultKind#isOfDeclaration}). All code that it sees unlocks by {@link
/// Weaker#unlock}, and its `synchronized` methods take their monitors by instructions, also without
/// a fault.
public final class FaultAgent {
  private static Instrumentation instrumentation;
  private static volatile Site active;
  private static volatile Map<Site, Integer> probes = Map.of();

  public static void premain(String argument, Instrumentation given) {
    instrumentation = given;
    active = argument == null || argument.isEmpty() ? null : Site.parse(argument);
    given.addTransformer(new Transformer(), true);
  }

  /// From now on all classes note which sites are run through.
  static void probe(Map<Site, Integer> numbers) throws UnmodifiableClassException {
    probes = numbers;
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      String name = loaded.getName().replace('.', '/');
      if (Transformer.isUnderTrial(name, loaded.getProtectionDomain())
          && instrumentation.isModifiableClass(loaded)) {
        instrumentation.retransformClasses(loaded);
      }
    }
  }

  /// From now on the code has one fault, or none.
  ///
  /// @param site or `null`
  static void activate(Site site) throws ClassNotFoundException, UnmodifiableClassException {
    Site before = active;
    active = site;
    if (before != null && !before.equals(site)) {
      retransform(before);
    }
    if (site != null && !site.equals(before)) {
      retransform(site);
    }
  }

  private static void retransform(Site site)
      throws ClassNotFoundException, UnmodifiableClassException {
    if (site.kind().isOfDeclaration()) {
      throw new IllegalArgumentException("a class that is loaded keeps its declarations: " + site);
    }
    String name = site.internalName().replace('/', '.');
    instrumentation.retransformClasses(
        Class.forName(name, false, FaultAgent.class.getClassLoader()));
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader,
        String className,
        Class<?> redefined,
        ProtectionDomain domain,
        byte[] bytes) {
      if (!isUnderTrial(className, domain)) {
        return null;
      }
      try {
        return FaultWeaver.weave(bytes, new Now(active, probes));
      } catch (RuntimeException | Error e) {
        // A transformer that throws would leave the class as it is, and the fault would go
        // unnoticed.
        e.printStackTrace();
        Runtime.getRuntime().halt(FaultWorker.BROKEN);
        return null;
      }
    }

    private static boolean isUnderTrial(String className, ProtectionDomain domain) {
      if (className == null || !className.startsWith("io/holdfast/") || domain == null) {
        return false;
      }
      CodeSource source = domain.getCodeSource();
      String place = source == null ? "" : source.getLocation().getPath();
      return place.endsWith("core/target/classes/")
          || place.endsWith("collections/target/classes/");
    }
  }

  private record Now(Site active, Map<Site, Integer> probes) implements FaultWeaver.Plan {
    @Override
    public boolean omits(Site site) {
      return site.equals(active);
    }

    @Override
    public int probe(Site site) {
      return probes.getOrDefault(site, -1);
    }
  }

  private FaultAgent() {}
}
