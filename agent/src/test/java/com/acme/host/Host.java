package com.acme.host;

import io.holdfast.core.section.hooks.SectionHooks;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// Run in a JVM of its own: runs plugins in class loaders that ask nobody but the JDK.
public class Host {
  public static void main(String[] arguments) throws Exception {
    URL plugins = Path.of(arguments[0]).toUri().toURL();
    for (String name : new String[] {"first", "second"}) {
      URLClassLoader isolated =
          new URLClassLoader(name, new URL[] {plugins}, ClassLoader.getPlatformClassLoader());
      Runnable plugin =
          (Runnable)
              isolated
                  .loadClass("com.acme.plugin.Plugin")
                  .getConstructor(BooleanSupplier.class)
                  .newInstance((BooleanSupplier) SectionHooks::inSection);
      plugin.run();
      for (int i = 0; i < 3; i++) {
        Thread.ofVirtual().start(plugin).join();
      }
    }
    System.out.println("end " + SectionHooks.inSection());
  }
}
