package io.holdfast.stress.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The sites of the real code: each can be left out, and leaves a class that the JVM accepts.
class SitesTest {
  private static final List<Path> CLASSES = CodeUnderTrial.find().classes();

  @Test
  void everyFaultIsAClassThatCanRun() throws IOException {
    List<Site> sites = Sites.in(CLASSES);
    assertThat(sites).hasSizeGreaterThan(350).doesNotHaveDuplicates();
    for (Site site : sites) {
      byte[] original = Files.readAllBytes(file(site));
      byte[] woven = FaultWeaver.weave(original, site::equals);
      assertThat(ClassFile.of().verify(woven)).as(site.toString()).isEmpty();
      assertThat(woven).isNotEqualTo(FaultWeaver.weave(original, _ -> false));
    }
  }

  private static Path file(Site site) {
    return CLASSES.stream()
        .map(directory -> directory.resolve(site.internalName() + ".class"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }
}
