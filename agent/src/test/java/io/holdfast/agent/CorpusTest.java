package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.section.SectionHooks;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Weaves what others wrote.
class CorpusTest {
  private int classes;
  private int woven;
  private int methods;
  private int blocks;
  private final Map<String, byte[]> results = new TreeMap<>();
  private final List<String> refused = new ArrayList<>();

  private void weaveAll(Path root, ClassLoader loader) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(CorpusTest::isClass)::iterator) {
        weave(root.relativize(file).toString(), Files.readAllBytes(file), loader);
      }
    }
  }

  /// Files of multi-release jars have their classes' names only with their version's prefix.
  private static boolean isClass(Path file) {
    String name = file.toString();
    return name.endsWith(".class") && !name.contains("META-INF") && !name.contains("module-info");
  }

  private void weave(String file, byte[] bytes, ClassLoader loader) {
    classes++;
    try {
      Weaver.Result result = Weaver.weave(bytes, loader);
      methods += result.count(Construct.METHOD);
      blocks += result.count(Construct.BLOCK);
      if (result.bytes().isPresent()) {
        woven++;
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        results.put(name, WovenLoader.verified(result.bytes().get(), loader));
      }
    } catch (WeavingException e) {
      refused.add(file + ": " + e.getMessage());
    }
  }

  private void print(String corpus) {
    System.out.printf(
        "%s: classes=%d, woven=%d, synchronized methods=%d, blocks=%d, refused=%d%n",
        corpus, classes, woven, methods, blocks, refused.size());
  }

  @Test
  void theClassesOfTheJdk() throws IOException {
    FileSystem jdk = FileSystems.getFileSystem(URI.create("jrt:/"));
    for (String module : List.of("java.base", "java.desktop", "jdk.compiler", "java.xml")) {
      weaveAll(jdk.getPath("/modules", module), ClassLoader.getSystemClassLoader());
    }
    print("JDK");
    assertThat(classes).isGreaterThan(5_000);
    assertThat(blocks).isGreaterThan(500);
    assertThat(methods).isGreaterThan(500);
    assertThat(refused)
        .allMatch(each -> each.endsWith("a native synchronized method has no body to weave"));
  }

  /// Verified by the JVM too: asking a class for its methods links it.
  @Test
  void theJarsOfTheTestsOwnClassPath() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":")) {
      if (entry.endsWith(".jar")) {
        Path jar = Path.of(entry);
        urls.add(jar.toUri().toURL());
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
          weaveAll(files.getPath("/"), getClass().getClassLoader());
        }
      }
    }
    print("class path");
    assertThat(refused).isEmpty();
    assertThat(blocks).isPositive();
    assertThat(methods).isPositive();
    urls.add(SectionHooks.class.getProtectionDomain().getCodeSource().getLocation());
    int linked = 0;
    try (Defining loader = new Defining(urls, results)) {
      for (String name : results.keySet()) {
        try {
          assertThat(loader.loadClass(name).getDeclaredMethods()).isNotNull();
          linked++;
        } catch (NoClassDefFoundError e) {
          System.out.println(name + " needs a class that is not here: " + e.getMessage());
        }
      }
    }
    System.out.println("linked=" + linked);
    assertThat(linked).isGreaterThan(results.size() / 2);
  }

  private static final class Defining extends URLClassLoader {
    private final Map<String, byte[]> woven;

    Defining(List<URL> urls, Map<String, byte[]> woven) {
      super(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      this.woven = woven;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!woven.containsKey(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> found = findLoadedClass(name);
      byte[] bytes = woven.get(name);
      return found != null ? found : defineClass(name, bytes, 0, bytes.length);
    }
  }
}
