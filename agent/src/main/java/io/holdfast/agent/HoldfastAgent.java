package io.holdfast.agent;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.instrument.Instrumentation;

/// The Java agent: `-javaagent:holdfast-agent.jar=include=com.acme.**`; see {@link AgentOptions}.
///
/// There is no `agentmain`: threads of a running program may be inside of `synchronized` blocks
/// whose frames stay unwoven, and what they store would not belong to the section that the block
/// promises.
public final class HoldfastAgent {
  private static boolean started;

  /// Called by the JVM before the program's `main`. An option that can't be honoured ends the JVM:
  /// a program that runs on without its sections looks well until the first crash.
  public static void premain(String options, Instrumentation instrumentation) {
    try {
      start(AgentOptions.parse(options), instrumentation);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Not thrown: the JVM answers that with a stack trace and abort(), which leaves a core file.
      System.err.println("holdfast-agent: " + e.getMessage());
      System.exit(1);
    }
  }

  private static synchronized void start(AgentOptions options, Instrumentation instrumentation) {
    if (started) {
      throw new IllegalStateException(
          "the agent is started twice and would weave twice. Give one -javaagent option with all"
              + " patterns: "
              + AgentOptions.EXAMPLE);
    }
    started = true;
    Scope scope = new Scope(options);
    Explanations explanations =
        options.explain() == null ? null : Explanations.writtenTo(options.explain());
    SectionTransformer transformer = new SectionTransformer(scope, instrumentation, explanations);
    instrumentation.addTransformer(transformer, true);
    Class<?>[] all = instrumentation.getAllLoadedClasses();
    if (all == null) {
      return; // a signal has begun the JVM's end, and it answers no more
    }
    for (Class<?> loaded : all) {
      if (!isJdk(loaded)
          && !loaded.isArray()
          && !loaded.isHidden()
          && scope.contains(
              loaded.getModule(), loaded.getClassLoader(), loaded.getName().replace('.', '/'))) {
        retransform(loaded, instrumentation, transformer);
      }
    }
  }

  /// Asked first: nearly all of some thousand classes are, and their names are made when they are
  /// asked for, which took a program's start 6 ms.
  private static boolean isJdk(Class<?> loaded) {
    return loaded.getClassLoader() == null && loaded.getModule().isNamed();
  }

  /// Weaves a class that was loaded before the agent, by another agent as a rule. Only method
  /// bodies change, which the JVM allows; it says so if that is not enough, because the class was
  /// not loaded as it would be woven.
  private static void retransform(
      Class<?> loaded, Instrumentation instrumentation, SectionTransformer transformer) {
    try {
      try {
        instrumentation.retransformClasses(loaded);
      } catch (UnsupportedOperationException _) {
        transformer.keepModifiersOf(loaded);
        instrumentation.retransformClasses(loaded);
      }
    } catch (Exception | LinkageError | InternalError e) {
      log(
          Level.WARNING,
          "%s is in scope, but was loaded before the agent and can't be woven any more: it runs without sections. Put -javaagent:holdfast-agent.jar before other agents"
              .formatted(loaded.getName()),
          e);
    }
  }

  /// Looked up at its first use: a program that has nothing to be told does not pay for logging.
  /// Never throws: what logs may be the program's own code, and not ready yet.
  static void log(Level level, String message, Throwable cause) {
    try {
      Logger logger = System.getLogger("io.holdfast.agent");
      logger.log(level, message, cause);
    } catch (RuntimeException | Error e) {
      System.err.println("holdfast-agent: " + level + ": " + message);
    }
  }

  private HoldfastAgent() {}
}
