package io.holdfast.stress.failures;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;

/// Weaves core and collections with {@link FailureWeaver} as they are loaded.
public final class FailureAgent {
  /// What looks at stores, and is not tried.
  private static final List<String> OTHERS =
      List.of(
          "io/holdfast/stress/",
          "io/holdfast/recovery/",
          "io/holdfast/examples/",
          "io/holdfast/agent/");

  public static void premain(String argument, Instrumentation instrumentation) {
    FailureWeaver weaver = new FailureWeaver();
    Trap.disarm(); // loaded before the code that calls it
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String className,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            return isUnderTrial(className) ? woven(weaver, bytes) : null;
          }
        });
  }

  private static boolean isUnderTrial(String className) {
    return className != null
        && className.startsWith("io/holdfast/")
        && OTHERS.stream().noneMatch(className::startsWith);
  }

  private static byte[] woven(FailureWeaver weaver, byte[] bytes) {
    try {
      return weaver.weave(bytes);
    } catch (RuntimeException | Error e) {
      // A transformer that throws leaves the class as it is, and all trials would pass.
      e.printStackTrace();
      Runtime.getRuntime().halt(FailureWorker.BROKEN);
      return null;
    }
  }

  private FailureAgent() {}
}
