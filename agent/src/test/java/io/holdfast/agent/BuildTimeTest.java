package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.MTD_void;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ModuleDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Weaving before the program runs.
class BuildTimeTest {
  private static final String MAIN = "com/acme/app/Main.class";

  @TempDir Path directory;
  private Path classes;
  private Path woven;
  private String said;

  /// A program without the class that can't be woven.
  @BeforeEach
  void makeProgram() throws IOException {
    classes = directory.resolve("classes");
    woven = directory.resolve("woven");
    AgentJvm.copyClasses("com.acme.app", classes);
    Files.delete(classes.resolve("com/acme/app/Unweavable.class"));
  }

  @Test
  void whereNothingIsWovenNothingIsWritten() throws Exception {
    assertThat(weave(classes, woven, "--include=com.akme.**")).isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains(" 0 woven").contains("nothing is woven, so nothing was written: ");
    assertThat(said).contains("none of them is in scope. A pattern without * names one class");
    assertThat(woven).doesNotExist();
    assertThat(weave(classes, woven, "--include=com.acme")).isEqualTo(AgentCommand.FAILED);
    assertThat(weave(classes, woven, "--include=com.acme.app.UsesUnweavable"))
        .isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains("1 of them in scope, and none has a lock, ");
    assertThat(woven).doesNotExist();
  }

  private int command(Object... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    List<String> strings = new ArrayList<>();
    for (Object argument : arguments) {
      strings.add(argument.toString());
    }
    int exitCode = AgentCommand.run(out, out, strings);
    said = bytes.toString(StandardCharsets.UTF_8);
    return exitCode;
  }

  private int weave(Path from, Path to, String... more) throws Exception {
    List<Object> arguments = new ArrayList<>(List.of("weave", from, "-o", to));
    Collections.addAll(arguments, "--class-path", AgentJvm.core());
    Collections.addAll(arguments, (Object[]) more);
    return command(arguments.toArray());
  }

  /// MARK-1: the weaver is the same, and so is what it makes.
  @Test
  void theSameBytesFromEachWay() throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    Path spy = directory.resolve("spy.jar");
    jvm.jar(
        spy, Map.of("Premain-Class", "com.acme.early.SpyAgent", "Can-Retransform-Classes", "true"));
    Path seen = directory.resolve("seen");
    for (String main : List.of("com.acme.app.Main", "com.acme.app.Shapes")) {
      jvm.java(
          List.of(
              jvm.flag("=include=com.acme.app.**"),
              "-javaagent:" + spy + "=" + seen,
              "-cp",
              AgentJvm.CLASS_PATH,
              main));
    }
    assertThat(weave(classes, woven)).as(() -> said).isZero();
    int compared = 0;
    try (var files = Files.walk(seen)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        assertThat(file).hasSameBinaryContentAs(woven.resolve(seen.relativize(file)));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(8);
    assertThat(woven.resolve(MAIN)).isNotEmptyFile();
    assertThat(Files.readAllBytes(woven.resolve(MAIN)))
        .isNotEqualTo(Files.readAllBytes(classes.resolve(MAIN)));
  }

  @Test
  void aWovenProgramRunsWithoutTheAgent() throws Exception {
    weave(classes, woven, "--include=com.acme.app.*");
    AgentJvm jvm = new AgentJvm(directory);
    List<String> lines =
        jvm.java(List.of("-cp", woven + ":" + AgentJvm.core(), "com.acme.app.Main")).lines();
    assertThat(lines)
        .containsExactly(
            "before false",
            "block true",
            "method true",
            "nested class true",
            "neighbour false",
            "after false",
            "end false");
  }

  /// What the agent gets is what it leaves, though it is in scope.
  @Test
  void whatWasWovenIsNotWovenAgain() throws Exception {
    weave(classes, woven, "--include=com.acme.app.*");
    AgentJvm jvm = new AgentJvm(directory);
    Path spy = directory.resolve("spy.jar");
    jvm.jar(
        spy, Map.of("Premain-Class", "com.acme.early.SpyAgent", "Can-Retransform-Classes", "true"));
    Path seen = directory.resolve("seen");
    AgentJvm.Run run =
        jvm.java(
            List.of(
                jvm.flag("=include=com.acme.app.*"),
                "-javaagent:" + spy + "=" + seen,
                "-cp",
                woven + ":" + AgentJvm.CLASS_PATH,
                "com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false");
    assertThat(seen.resolve(MAIN)).hasSameBinaryContentAs(woven.resolve(MAIN));

    byte[] once = Files.readAllBytes(woven.resolve(MAIN));
    assertThat(weave(woven, woven, "--include=com.acme.app.*")).isZero();
    assertThat(said).contains("0 woven, 7 before");
    assertThat(woven.resolve(MAIN)).hasBinaryContent(once);
  }

  /// MARK-2.
  @Test
  void whatAnotherWeaverWove() throws Exception {
    ClassFile classFile = ClassFile.of();
    byte[] other =
        classFile.transformClass(
            classFile.parse(classes.resolve(MAIN)),
            ClassTransform.endHandler(builder -> builder.with(new WovenMark(99))));
    assertThatThrownBy(() -> Weaver.weave(other, getClass().getClassLoader()))
        .hasMessageContaining(
            "it was woven by another version of the agent: weaver=99, this one="
                + WovenMark.WEAVER
                + ". Weave it again");
    Files.write(classes.resolve(MAIN), other);
    assertThat(weave(classes, woven)).isEqualTo(AgentCommand.FAILED);
  }

  @Test
  void aDirectoryIsCopiedCompletely() throws Exception {
    Path resource = classes.resolve("META-INF/services/com.acme.Service");
    Files.createDirectories(resource.getParent());
    Files.writeString(resource, "com.acme.app.Main");
    Files.createDirectories(classes.resolve("empty/directory"));
    FileTime time = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(classes.resolve(MAIN), time);
    assertThat(weave(classes, woven, "--include=com.acme.app.Main")).isZero();
    assertThat(said).contains("2 woven: synchronized block ");
    try (var files = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = woven.resolve(classes.relativize(file));
        assertThat(copy).exists();
        if (Files.isRegularFile(file) && !file.getFileName().toString().startsWith("Main")) {
          assertThat(copy).hasSameBinaryContentAs(file);
        }
      }
    }
    assertThat(Files.getLastModifiedTime(woven.resolve(MAIN))).isEqualTo(time);
  }

  @Test
  void inPlace() throws Exception {
    byte[] before = Files.readAllBytes(classes.resolve(MAIN));
    assertThat(weave(classes, classes)).isZero();
    assertThat(Files.readAllBytes(classes.resolve(MAIN))).isNotEqualTo(before);
    try (var files = Files.walk(classes)) {
      assertThat(files.map(Path::toString)).noneMatch(each -> each.endsWith(".woven"));
    }
  }

  @Test
  void aRefusalWritesNothing() throws Exception {
    Path odd = classes.resolve("com/acme/app/Unweavable.class");
    Files.copy(AgentJvm.TEST_CLASSES.resolve("com/acme/app/Unweavable.class"), odd);
    assertThat(weave(classes, woven)).isEqualTo(AgentCommand.FAILED);
    assertThat(said)
        .contains(
            "holdfast-agent: refused: com/acme/app/Unweavable.class: method=lockedByTheJvm()void,");
    assertThat(woven).doesNotExist();
    Path jar = directory.resolve("in.jar");
    new AgentJvm(directory).jar(jar, Map.of(), classes);
    assertThat(weave(jar, directory.resolve("out.jar"))).isEqualTo(AgentCommand.FAILED);
    assertThat(directory.resolve("out.jar")).doesNotExist();
    assertThat(directory.resolve("out.jar.woven")).doesNotExist();
  }

  /// An entry of a jar.
  private record Entry(String name, byte[] bytes, int method, String comment, long time) {}

  private static Path jar(Path file, List<Entry> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream jar = new ZipOutputStream(out)) {
      jar.setComment("of a jar");
      for (Entry each : entries) {
        ZipEntry entry = new ZipEntry(each.name);
        entry.setMethod(each.method);
        entry.setTime(each.time);
        entry.setComment(each.comment);
        if (each.method == ZipEntry.STORED) {
          CRC32 sum = new CRC32();
          sum.update(each.bytes);
          entry.setCrc(sum.getValue());
          entry.setSize(each.bytes.length);
        }
        jar.putNextEntry(entry);
        jar.write(each.bytes);
        jar.closeEntry();
      }
    }
    return file;
  }

  private static Entry entry(String name, byte[] bytes) {
    return new Entry(name, bytes, ZipEntry.DEFLATED, null, 1_000_000_000_000L);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<Entry> entries(Path file) throws IOException {
    try (ZipFile jar = new ZipFile(file.toFile())) {
      assertThat(jar.getComment()).isEqualTo("of a jar");
      List<Entry> entries = new ArrayList<>();
      for (ZipEntry each : Collections.list(jar.entries())) {
        try (InputStream in = jar.getInputStream(each)) {
          entries.add(
              new Entry(
                  each.getName(),
                  in.readAllBytes(),
                  each.getMethod(),
                  each.getComment(),
                  each.getTime()));
        }
      }
      return entries;
    }
  }

  @Test
  void aJarKeepsWhatItIs() throws Exception {
    byte[] main = Files.readAllBytes(classes.resolve(MAIN));
    List<Entry> before =
        List.of(
            entry(
                "META-INF/MANIFEST.MF",
                utf8("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n")),
            entry("z/", new byte[0]),
            entry("z/resource.txt", utf8("of the program")),
            new Entry(MAIN, main, ZipEntry.STORED, "stored", 1_100_000_000_000L),
            entry("META-INF/versions/25/" + MAIN, main),
            entry("lib/inner.jar", utf8("not looked into")),
            entry(
                "com/acme/app/UsesUnweavable.class",
                Files.readAllBytes(classes.resolve("com/acme/app/UsesUnweavable.class"))),
            entry("module-info.class", moduleInfo()));
    Path in = jar(directory.resolve("in.jar"), before);
    Path out = directory.resolve("out/out.jar");
    assertThat(weave(in, out)).as(() -> said).isZero();
    assertThat(said).contains("3 classes, 2 woven").contains("--add-reads MODULE=io.holdfast.core");
    List<Entry> after = entries(out);
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i))
          .usingRecursiveComparison()
          .ignoringFields("bytes")
          .isEqualTo(before.get(i));
      if (before.get(i).name.endsWith("/Main.class")) {
        assertThat(WovenMark.isOn(ClassFile.of().parse(after.get(i).bytes))).isTrue();
      } else {
        assertThat(after.get(i).bytes).isEqualTo(before.get(i).bytes);
      }
    }
    byte[] once = Files.readAllBytes(out);
    assertThat(weave(in, out)).isZero();
    assertThat(out).hasBinaryContent(once);
    assertThat(weave(in, in)).isZero();
    assertThat(in).hasBinaryContent(once);
  }

  /// As the agent does, which sees what the JVM loads.
  @Test
  void ofSeveralReleasesItIsTheJvmsThatTellsOthers() throws Exception {
    ClassDesc other = ClassDesc.of("com.acme.app.Other");
    Path in =
        jar(
            directory.resolve("in.jar"),
            List.of(
                entry(
                    "META-INF/MANIFEST.MF",
                    utf8("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n")),
                entry("com/acme/app/Other.class", withField(other, 0)),
                entry(
                    "com/acme/app/User.class",
                    ClassFile.of()
                        .build(
                            ClassDesc.of("com.acme.app.User"),
                            builder ->
                                builder.withMethodBody(
                                    "read",
                                    MTD_void,
                                    ClassFile.ACC_STATIC,
                                    code -> code.getstatic(other, "f", CD_int).pop().return_()))),
                entry(
                    "META-INF/versions/25/com/acme/app/Other.class",
                    withField(other, ClassFile.ACC_VOLATILE))));
    assertThat(weave(in, directory.resolve("out.jar"))).as(() -> said).isZero();
    assertThat(said).contains("3 classes, 1 woven: volatile field 1");
  }

  private static byte[] withField(ClassDesc type, int flags) {
    return ClassFile.of()
        .build(type, builder -> builder.withField("f", CD_int, ClassFile.ACC_STATIC | flags));
  }

  private static byte[] moduleInfo() {
    return ClassFile.of()
        .buildModule(
            ModuleAttribute.of(
                ModuleDesc.of("acme.app"),
                module ->
                    module.requires(ModuleDesc.of("java.base"), ClassFile.ACC_MANDATED, null)));
  }

  @Test
  void aSignedJar() throws Exception {
    Path in =
        jar(
            directory.resolve("in.jar"),
            List.of(
                entry(
                    "META-INF/MANIFEST.MF",
                    utf8(
                        "Manifest-Version: 1.0\r\nMain-Class: com.acme.app.Main\r\n\r\nName: "
                            + MAIN
                            + "\r\nSHA-256-Digest: AAAA\r\n\r\n")),
                entry("META-INF/ACME.SF", utf8("Signature-Version: 1.0\r\n\r\n")),
                entry("META-INF/ACME.RSA", utf8("not a key")),
                entry(MAIN, Files.readAllBytes(classes.resolve(MAIN)))));
    Path out = directory.resolve("out.jar");
    assertThat(weave(in, out)).isEqualTo(AgentCommand.FAILED);
    assertThat(said)
        .contains("in.jar is signed (META-INF/ACME.SF)")
        .contains("Give --drop-signatures");
    assertThat(out).doesNotExist();
    assertThat(weave(in, out, "--drop-signatures")).isZero();
    List<Entry> after = entries(out);
    assertThat(after).extracting(Entry::name).containsExactly("META-INF/MANIFEST.MF", MAIN);
    assertThat(new String(after.getFirst().bytes, StandardCharsets.UTF_8))
        .contains("Main-Class: com.acme.app.Main")
        .doesNotContain("Digest");
  }

  @Test
  void wrongUsage() throws Exception {
    assertThat(command()).isEqualTo(AgentCommand.USAGE);
    assertThat(said).startsWith("Usage: java -jar holdfast-agent.jar COMMAND");
    assertThat(command("help")).isZero();
    assertThat(command("wave")).isEqualTo(AgentCommand.USAGE);
    assertThat(said).startsWith("holdfast-agent: unknown command: wave");
    assertThat(command("weave", classes)).isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("weave needs one directory or jar, and -o");
    assertThat(command("weave", classes, "-o")).isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("an option without its value: -o");
    assertThat(command("weave", classes, "-o", woven, "--fast")).isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("unknown option: --fast");
    assertThat(command("weave", classes, "-o", woven, "--include", "com..acme"))
        .isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("is no class pattern");
    assertThat(command("weave", "nowhere", "-o", woven)).isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains("no such file: nowhere");
    assertThat(weave(classes, woven, "--class-path=nowhere")).isEqualTo(AgentCommand.USAGE);
    assertThat(said).contains("an option given twice: --class-path");
    assertThat(weave(classes, classes.resolve("out"))).isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains("the copy would lie inside of what is copied");
    Path text = Files.writeString(directory.resolve("text"), "no jar");
    assertThat(weave(text, woven)).isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains("neither a directory nor a jar");
    assertThat(weave(classes, text)).isEqualTo(AgentCommand.FAILED);
    assertThat(said).contains("-o is a file");
  }

  @Test
  void whatIsMissingFromTheClassPathIsSaid() throws Exception {
    Path alone = directory.resolve("alone");
    AgentJvm.copyClasses("com.acme.orphan", alone);
    Files.delete(alone.resolve("com/acme/orphan/Orphan$Base.class"));
    assertThat(weave(alone, woven)).isZero();
    assertThat(said)
        .contains("were not found. Put their jars on --class-path")
        .contains("[com.acme.orphan.Orphan$Base]");
  }

  /// The jar as it is shipped.
  @Test
  void fromTheCommandLine() throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    AgentJvm.Run run =
        jvm.java(
            List.of(
                "-jar",
                jvm.jar().toString(),
                "weave",
                classes.toString(),
                "-o",
                woven.toString(),
                "--include",
                "com.acme.app.Main"));
    assertThat(run.text()).contains("2 woven: synchronized block ");
    assertThat(run.exitCode()).isZero();
    assertThat(jvm.java(List.of("-jar", jvm.jar().toString(), "wave")).exitCode())
        .isEqualTo(AgentCommand.USAGE);
  }
}
