package com.acme.early;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/// An agent that looks at no class: what every agent costs.
public class IdleAgent {
  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Nothing());
  }

  private static final class Nothing implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> loaded, ProtectionDomain domain, byte[] bytes) {
      return null;
    }
  }
}
