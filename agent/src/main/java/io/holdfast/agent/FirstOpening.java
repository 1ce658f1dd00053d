package io.holdfast.agent;

import java.lang.System.Logger.Level;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// What the agent does when the program opens its first store: it says what was woven so far, or
/// warns if that is nothing, and has core look for what is likely wrong at run time.
///
/// Programs open stores before they load the classes that use them, so it waits some seconds for
/// the first woven class. A program that ends before gets its warning at its end.
final class FirstOpening {
  /// The class of core's that is loaded when a store is opened, and not before.
  static final String CLASS = "io/holdfast/core/region/Region";

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final WovenCounts counts;
  private final AgentOptions options;
  private final AtomicBoolean said = new AtomicBoolean();

  FirstOpening(WovenCounts counts, AgentOptions options) {
    this.counts = counts;
    this.options = options;
  }

  /// Never throws: the program's store is opened all the same.
  ///
  /// @param core the module that is about to have the class
  /// @param loader of core
  void begin(Instrumentation instrumentation, Module core, ClassLoader loader) {
    try {
      tellCore(instrumentation, core, loader);
      Thread teller = new Thread(this::tell, "holdfast-agent");
      teller.setDaemon(true);
      teller.start();
      Runtime.getRuntime().addShutdownHook(new Thread(this::tellAtEnd, "holdfast-agent-end"));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      HoldfastAgent.log(
          Level.WARNING,
          "what woven code does is not looked at: the holdfast-core of this program is of another"
              + " version than the agent",
          e);
    }
  }

  /// Core is named and never linked to, as with the hooks.
  private void tellCore(Instrumentation instrumentation, Module core, ClassLoader loader)
      throws ReflectiveOperationException {
    Module own = FirstOpening.class.getModule();
    if (!core.isExported(Hooks.PACKAGE, own)) {
      instrumentation.redefineModule(
          core, Set.of(), Map.of(Hooks.PACKAGE, Set.of(own)), Map.of(), Set.of(), Map.of());
    }
    Supplier<String> woven = counts::toString;
    Predicate<String> isSilent = name -> isAny(options.silent(), name.replace('.', '/'));
    Class.forName(Hooks.FINDINGS, true, loader)
        .getMethod("begin", Supplier.class, Predicate.class)
        .invoke(null, woven, isSilent);
  }

  private static boolean isAny(List<ClassPattern> patterns, String internalName) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(internalName));
  }

  private void tell() {
    long begun = System.nanoTime();
    try {
      while (counts.isEmpty() && System.nanoTime() - begun < PATIENCE_NANOS) {
        Thread.sleep(100);
      }
    } catch (InterruptedException _) {
      // said now
    }
    if (said.compareAndSet(false, true)) {
      if (counts.isEmpty()) {
        HoldfastAgent.log(Level.WARNING, warning(), null);
      } else {
        HoldfastAgent.log(Level.INFO, counts.toString(), null);
      }
    }
  }

  /// On standard error: loggers may have ended before.
  private void tellAtEnd() {
    if (counts.isEmpty() && said.compareAndSet(false, true)) {
      System.err.println("holdfast-agent: warning: " + warning());
    }
  }

  private String warning() {
    return "a store was opened, and no class has been woven: no lock is a section, and the store's changes are atomic one by one. %d loaded classes are in scope: include=%s%s. com.acme.** are the classes of com.acme and below it"
        .formatted(
            counts.inScope(),
            options.include(),
            options.exclude().isEmpty() ? "" : ", exclude=" + options.exclude());
  }
}
