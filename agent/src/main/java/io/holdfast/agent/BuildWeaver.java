package io.holdfast.agent;

import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Weaves the class files of a program before it runs, by the weaver that the agent uses: what
/// comes out is the same. Test: BuildTimeTest.theSameBytesFromEachWay.
///
/// Confined to one thread.
final class BuildWeaver {
  /// Behind the name of a jar, where what follows is in it.
  static final String IN_JAR = "!/";

  private final Scope scope;
  private final ClassPathLoader loader;

  /// `null` if nobody wants any.
  private final PrintStream explanations;

  private final List<String> refused = new ArrayList<>();
  private final List<String> notWoven = new ArrayList<>();
  private final List<String> modules = new ArrayList<>();
  private int classes;
  private int inScope;
  private int woven;
  private int marked;
  private final Map<Construct, Integer> counts = new EnumMap<>(Construct.class);

  BuildWeaver(Scope scope, ClassPathLoader loader, PrintStream explanations) {
    this.scope = scope;
    this.loader = loader;
    this.explanations = explanations;
  }

  /// @param file its path, with `/`
  /// @param bytes its content
  /// @return its new content, if it has a class to weave
  Optional<byte[]> weave(String file, byte[] bytes) {
    if (!file.endsWith(".class")) {
      return Optional.empty();
    }
    if (file.endsWith("module-info.class")) {
      if (!file.contains(IN_JAR)) { // such a jar is no module
        modules.add(file);
      }
      return Optional.empty();
    }
    classes++;
    try {
      return weave(bytes);
    } catch (WeavingException e) {
      refused.add(file + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<byte[]> weave(byte[] bytes) {
    if (!scope.contains(nameOf(bytes))) {
      return Optional.empty();
    }
    inScope++;
    Weaver.Result result = Weaver.weave(bytes, loader, false, scope.options().extras());
    marked += result.marked() ? 1 : 0;
    woven += result.isWoven() ? 1 : 0;
    for (WovenMethod method : result.methods()) {
      for (WovenMethod.Site site : method.sites()) {
        counts.merge(site.construct(), 1, Integer::sum);
        if (site.construct() == Construct.NOT_WOVEN) {
          notWoven.add(
              "%s.%s: %s".formatted(method.owner().replace('/', '.'), method.name(), site));
        }
      }
    }
    if (explanations != null && (result.isWoven() || result.marked())) {
      explanations.print(Explanation.of(bytes, result));
    }
    return result.bytes();
  }

  private String listed() {
    StringBuilder listed = new StringBuilder(marked == 0 ? "" : ", %d before".formatted(marked));
    String separator = ": ";
    for (Construct construct : counts.keySet()) {
      listed.append(separator).append(construct).append(" ").append(counts.get(construct));
      separator = ", ";
    }
    return listed.toString();
  }

  private static String nameOf(byte[] bytes) {
    try {
      return ClassFile.of().parse(bytes).thisClass().asInternalName();
    } catch (RuntimeException e) {
      throw new WeavingException("not a class file that JDK 25 can read: " + e, e);
    }
  }

  /// Those that can't be woven, and why: what was copied of them must not run.
  List<String> refused() {
    return refused;
  }

  /// How many classes were woven so far.
  int woven() {
    return woven;
  }

  /// Whether the copy may be made: no class was refused, and some are woven, now or before.
  boolean isWoven() {
    return refused.isEmpty() && woven + marked > 0;
  }

  /// Why nothing was woven although no class was refused.
  private String whyNothing() {
    return inScope == 0
        ? "none of them is in scope. A pattern without * names one class: com.acme.** are those of"
            + " com.acme and below it"
        : "%d of them in scope, and none has a lock, a volatile field or a call that hands something over"
            .formatted(inScope);
  }

  /// Says what was done, and what the program's owner must see to.
  void report(PrintStream out, PrintStream err) {
    out.printf("%d classes, %d woven%s%n", classes, woven, listed());
    if (refused.isEmpty() && !isWoven()) {
      err.printf(
          "holdfast-agent: nothing is woven, so nothing was written: %d classes, %s%n",
          classes, whyNothing());
    }
    for (String site : notWoven) {
      err.println(
          "holdfast-agent: warning: " + site + ". Sections do not begin, end or depend there");
    }
    if (!loader.missing().isEmpty()) {
      err.printf(
          "holdfast-agent: warning: these classes are needed to know the types in woven code, and"
              + " were not found. Put their jars on --class-path, or the JVM may refuse to run what"
              + " was woven: %s%n",
          loader.missing());
    }
    if (!modules.isEmpty() && woven > 0) {
      err.printf(
          "holdfast-agent: note: %s stays as it is. If the program runs as a module without the"
              + " agent, let it see the hooks: --add-reads MODULE=%s --add-exports %s/%s=MODULE%n",
          modules, Hooks.MODULE, Hooks.MODULE, Hooks.PACKAGE);
    }
  }
}
