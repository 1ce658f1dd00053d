package io.holdfast.stress.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each kind of fault leaves out what it says, and nothing else.
class FaultWeaverTest {
  private static final String PREFIX = "stress.faults.Sample.";

  private static byte[] classFile() throws IOException {
    try (InputStream in = Sample.class.getResourceAsStream("Sample.class")) {
      return in.readAllBytes();
    }
  }

  /// Defines the class anew, with a fault.
  private static Class<?> withFault(String fault) throws IOException {
    byte[] woven = FaultWeaver.weave(classFile(), site -> site.toString().equals(PREFIX + fault));
    return new ClassLoader(FaultWeaverTest.class.getClassLoader()) {
      Class<?> define() {
        return defineClass(null, woven, 0, woven.length);
      }
    }.define();
  }

  private static List<String> run(String fault) throws Exception {
    List<String> done = new ArrayList<>();
    Memory memory = new TellingMemory(done);
    Constructor<?> constructor = withFault(fault).getDeclaredConstructor(Memory.class);
    constructor.setAccessible(true);
    ((Runnable) constructor.newInstance(memory)).run();
    return done;
  }

  @Test
  void sitesAreFoundAndNumbered() throws IOException {
    List<String> sites = new ArrayList<>();
    FaultWeaver.weave(
        classFile(),
        site -> {
          sites.add(site.toString());
          return false;
        });
    assertThat(sites)
        .containsExactlyInAnyOrder(
            PREFIX + "run#release@1",
            PREFIX + "run#flush@1",
            PREFIX + "run#fence@1",
            PREFIX + "run#release@2",
            PREFIX + "run#flush@2",
            PREFIX + "run#lock@1",
            PREFIX + "run#monitor@1",
            PREFIX + "note#synchronized@1",
            PREFIX + "isValid#check@1",
            PREFIX + "closed#volatile@1");
    assertThat(sites).allSatisfy(site -> assertThat(Site.parse(site)).hasToString(site));
  }

  @Test
  void withoutAFaultAllIsDone() throws Exception {
    assertThat(run("none"))
        .containsExactly(
            "release 0 1",
            "flush 0",
            "fence",
            "release 8 2",
            "flush 8",
            "plain 16 1",
            "plain 24 0",
            "plain 32 1",
            "plain 40 1");
  }

  @ParameterizedTest
  @CsvSource({
    "run#release@1, release 0 1, plain 0 1",
    "run#flush@1, flush 0, ",
    "run#fence@1, fence, ",
    "run#release@2, release 8 2, plain 8 2",
    "run#flush@2, flush 8, ",
    "run#lock@1, plain 16 1, plain 16 0",
    "isValid#check@1, plain 24 0, plain 24 1",
    "run#monitor@1, plain 32 1, plain 32 0",
    "note#synchronized@1, plain 40 1, plain 40 0",
  })
  void oneThingIsLeftOut(String fault, String without, String with) throws Exception {
    List<String> expected = run("none");
    int at = expected.indexOf(without);
    assertThat(at).isNotNegative();
    if (with == null) {
      expected.remove(at);
    } else {
      expected.set(at, with);
    }
    assertThat(run(fault)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"none, false", "run#flush@1, false", "run#lock@1, true", "run#monitor@1, true"})
  void whoHasLostALockGivesWay(String fault, boolean gives) throws Exception {
    byte[] woven = FaultWeaver.weave(classFile(), site -> site.toString().equals(PREFIX + fault));
    String text = new String(woven, StandardCharsets.ISO_8859_1);
    assertThat(text.contains("giveWay")).isEqualTo(gives);
  }

  @Test
  void aFieldIsNotVolatile() throws Exception {
    assertThat(Modifier.isVolatile(modifiers("none"))).isTrue();
    assertThat(Modifier.isVolatile(modifiers("closed#volatile@1"))).isFalse();
  }

  private static int modifiers(String fault) throws Exception {
    return withFault(fault).getDeclaredField("closed").getModifiers();
  }
}
