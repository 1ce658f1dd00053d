package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;

/// A record `shop.Order` compiled while a test runs, in a named module `depot` of its own: the
/// tests themselves are on the class path, where every package is open.
record CompiledRecord(Path directory, String source) {
  Class<?> inModule(String moduleInfo) {
    try {
      Path sources = Files.createDirectories(directory.resolve("sources"));
      Path classes = Files.createDirectories(directory.resolve("classes"));
      Path module = Files.writeString(sources.resolve("module-info.java"), moduleInfo);
      Path order = Files.writeString(sources.resolve("Order.java"), "package shop; " + source);
      ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
      int exit =
          javac.run(
              System.out,
              System.err,
              "-d",
              classes.toString(),
              module.toString(),
              order.toString());
      assertThat(exit).isZero();
      return load(classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(Path classes) {
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("depot"));
    ClassLoader loader =
        ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(boot), CompiledRecord.class.getClassLoader())
            .layer()
            .findLoader("depot");
    try {
      return loader.loadClass("shop.Order");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
