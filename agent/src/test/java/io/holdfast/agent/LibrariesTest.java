package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Weaves well-known libraries, more than 20,000 classes by several compilers, which the build
/// copies to `target/corpus`: each woven class must link wherever it links unwoven, and the
/// libraries must do what they did.
class LibrariesTest {
  private static final Path CORPUS = Path.of("target/corpus");

  /// What became of one jar.
  private static final class Tally {
    private final String jar;
    private int classes;
    private int woven;
    private final Map<Construct, Integer> counts = new EnumMap<>(Construct.class);
    private int linked;
    private final List<String> refused = new ArrayList<>();

    /// Woven classes that do not link, and don't unwoven either: what they need is not here.
    private int unlinkable;

    Tally(String jar) {
      this.jar = jar;
    }

    void add(Tally other) {
      classes += other.classes;
      woven += other.woven;
      other.counts.forEach((construct, count) -> counts.merge(construct, count, Integer::sum));
      linked += other.linked;
      unlinkable += other.unlinkable;
      refused.addAll(other.refused);
    }

    @Override
    public String toString() {
      return "%-40s %7d %6d %6d %10d %7d  %s"
          .formatted(jar, classes, woven, linked, unlinkable, refused.size(), counts);
    }
  }

  /// The corpus, woven or not.
  private static final class CorpusLoader extends URLClassLoader {
    private final boolean weaves;

    CorpusLoader(URL[] urls, boolean weaves) {
      super(urls, ClassLoader.getPlatformClassLoader());
      this.weaves = weaves;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes;
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        bytes = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
      if (weaves && !name.startsWith("io.holdfast.")) {
        try {
          bytes = Weaver.weave(bytes, this).bytes().orElse(bytes);
        } catch (WeavingException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
      return defineClass(name, bytes, 0, bytes.length);
    }

    /// Asking for its methods links a class, and so verifies it.
    ///
    /// @return what was thrown, or `null`
    LinkageError link(String name) {
      try {
        loadClass(name).getDeclaredMethods();
        return null;
      } catch (LinkageError e) {
        return e;
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(CORPUS)) {
      return files.sorted().toList();
    }
  }

  private static URL[] urls() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars()) {
      urls.add(jar.toUri().toURL());
    }
    urls.add(AgentJvm.core().toUri().toURL());
    return urls.toArray(URL[]::new);
  }

  @Test
  void wovenClassesLinkLikeUnwovenOnes() throws Exception {
    Tally total = new Tally("total");
    System.out.printf(
        "%-40s %7s %6s %6s %10s %7s%n",
        "jar", "classes", "woven", "linked", "unlinkable", "refused");
    for (Tally tally : jars().parallelStream().map(LibrariesTest::weave).toList()) {
      System.out.println(tally);
      tally.refused.stream().limit(10).forEach(each -> System.out.println("  refused: " + each));
      total.add(tally);
    }
    System.out.println(total);
    assertThat(total.classes).isGreaterThan(20_000);
    assertThat(total.woven).isGreaterThan(900);
    assertThat(total.counts.get(Construct.METHOD)).isGreaterThan(1_200);
    assertThat(total.counts.get(Construct.BLOCK)).isGreaterThan(7_000);
    assertThat(total.linked).isGreaterThan(total.woven * 9 / 10);
    assertThat(total.linked + total.unlinkable).isEqualTo(total.woven);
    // HSQLDB 1.8 is of 2001: jsr, and class files that know no class constants.
    assertThat(total.refused)
        .hasSizeBetween(1, 10)
        .allMatch(each -> each.startsWith("org/hsqldb/"))
        .allMatch(each -> each.contains("jsr and ret") || each.contains("older than Java 5"));
  }

  private static Tally weave(Path jar) {
    Tally tally = new Tally(jar.getFileName().toString());
    try (CorpusLoader plain = new CorpusLoader(urls(), false);
        CorpusLoader woven = new CorpusLoader(urls(), true);
        ZipFile files = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(files.entries())) {
        String file = entry.getName();
        if (file.endsWith(".class") && !file.endsWith("module-info.class")) {
          try (InputStream in = files.getInputStream(entry)) {
            weave(file, in.readAllBytes(), plain, woven, tally);
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(tally.jar, e);
    }
    return tally;
  }

  private static void weave(
      String file, byte[] bytes, CorpusLoader plain, CorpusLoader woven, Tally tally) {
    tally.classes++;
    Weaver.Result result;
    try {
      result = Weaver.weave(bytes, plain);
    } catch (WeavingException e) {
      tally.refused.add(file + ": " + e.getMessage());
      return;
    }
    for (Construct construct : Construct.values()) {
      int count = result.count(construct);
      if (count > 0) {
        tally.counts.merge(construct, count, Integer::sum);
      }
    }
    if (result.bytes().isEmpty() || file.startsWith("META-INF/")) {
      return; // of another release, so the loaders don't find it under this name
    }
    tally.woven++;
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    LinkageError before = plain.link(name);
    LinkageError after = woven.link(name);
    if (before == null) {
      assertThat(after).as(name).isNull();
      tally.linked++;
    } else {
      assertThat(after).as(name).isInstanceOf(LinkageError.class);
      tally.unlinkable++;
    }
  }

  private static boolean isLogged(String line) {
    return line.contains("Sections do not begin, end or depend there")
        || line.endsWith("HoldfastAgent log");
  }

  @Test
  void theyDoWhatTheyDid(@TempDir Path directory) throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    Path explained = directory.resolve("explained");
    List<String> unwoven =
        jvm.java(List.of("-cp", AgentJvm.CLASS_PATH, "com.acme.libraries.Libraries")).lines();
    AgentJvm.Run run =
        jvm.java(
            List.of(
                jvm.flag(
                    "=include=org.h2.**,io.netty.**,com.google.**,com.fasterxml.**,com.acme.**;explain="
                        + explained),
                "-cp",
                AgentJvm.CLASS_PATH,
                "com.acme.libraries.Libraries"));
    assertThat(unwoven).endsWith("done");
    assertThat(run.lines().stream().filter(line -> !isLogged(line)))
        .containsExactlyElementsOf(unwoven);
    List<String> heads;
    try (Stream<String> lines = Files.lines(explained)) {
      heads = lines.filter(line -> !line.startsWith(" ")).toList();
    }
    long classes = heads.stream().filter(line -> line.contains(": woven")).count();
    System.out.printf("under the agent: classes=%d, woven=%d%n", heads.size(), classes);
    assertThat(heads).noneMatch(line -> line.contains(": refused"));
    assertThat(classes).isGreaterThan(40);
  }
}
