package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.MTD_void;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// WEAVE-2: a class in scope that can't be woven does not run.
class RefusalTest {
  private static final String NAME = "org.odd.Refused";
  private static final int STATIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;

  private static byte[] compiled(int version, int flags, Consumer<CodeBuilder> code) {
    return ClassFile.of(ClassFile.StackMapsOption.STACK_MAPS_WHEN_REQUIRED)
        .build(
            ClassDesc.of(NAME),
            odd -> {
              odd.withVersion(version, 0);
              odd.withField("field", CD_int, STATIC);
              odd.withMethodBody("run", MTD_void, flags, code::accept);
              odd.withMethodBody("other", MTD_void, STATIC, CodeBuilder::return_);
            });
  }

  /// What the JVM gets for a class in scope.
  private static byte[] transformed(byte[] bytes, ClassLoader loader, Class<?> loaded) {
    return transformed(NAME, bytes, loader, loaded);
  }

  private static byte[] transformed(
      String name, byte[] bytes, ClassLoader loader, Class<?> loaded) {
    Scope scope = new Scope(AgentOptions.parse("include=org.odd.**"));
    return new SectionTransformer(scope, noInstrumentation(), null)
        .transform(
            RefusalTest.class.getModule(),
            loader,
            name.replace('.', '/'),
            loaded,
            RefusalTest.class.getProtectionDomain(),
            bytes);
  }

  private static Instrumentation noInstrumentation() {
    return (Instrumentation)
        Proxy.newProxyInstance(
            RefusalTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (_, method, _) -> {
              if (method.getName().equals("getAllLoadedClasses")) {
                return new Class<?>[0];
              }
              throw new UnsupportedOperationException("not here: " + method.getName());
            });
  }

  private static Class<?> defined(byte[] bytes) {
    return new ClassLoader(RefusalTest.class.getClassLoader()) {
      Class<?> define() {
        return defineClass(NAME, bytes, 0, bytes.length);
      }
    }.define();
  }

  private static void assertRefused(byte[] unwoven, String why) {
    Class<?> refused = defined(transformed(unwoven, RefusalTest.class.getClassLoader(), null));
    assertThatThrownBy(() -> Class.forName(NAME, true, refused.getClassLoader()))
        .isInstanceOf(LinkageError.class)
        .hasMessageStartingWith(
            NAME
                + " is in the scope of the Holdfast agent but can't be woven, so it does not run: ")
        .hasMessageContaining(why)
        .hasMessageEndingWith("Change it, or give up its sections with exclude=" + NAME);
  }

  private static void manyInstructions(CodeBuilder code) {
    code.aconst_null().monitorenter();
    for (int i = 0; i < 65_525; i++) {
      code.nop();
    }
    code.aconst_null().monitorexit().return_();
  }

  @Test
  void aMethodThatGrowsTooLarge() {
    assertRefused(
        compiled(ClassFile.JAVA_25_VERSION, STATIC, RefusalTest::manyInstructions),
        "the hooks make it larger than the 65,535 bytes that the JVM allows; split it: ");
  }

  /// Neither hooks nor what refuses it find a place there.
  @Test
  void aConstantPoolThatIsFull() {
    byte[] full =
        ClassFile.of()
            .build(
                ClassDesc.of(NAME),
                builder -> {
                  builder.withMethodBody(
                      "run", MTD_void, STATIC | ClassFile.ACC_SYNCHRONIZED, CodeBuilder::return_);
                  while (builder.constantPool().size() < 65_530) {
                    builder.constantPool().intEntry(builder.constantPool().size());
                  }
                });
    assertRefused(full, "its constant pool is full");
    assertThat(defined(transformed(full, RefusalTest.class.getClassLoader(), null)).getMethods())
        .extracting(Method::getName)
        .contains("run");
  }

  @Test
  void aNativeSynchronizedMethod() {
    byte[] odd =
        ClassFile.of()
            .build(
                ClassDesc.of(NAME),
                builder ->
                    builder.withMethod(
                        "run",
                        MethodTypeDesc.of(CD_void, CD_int),
                        STATIC | ClassFile.ACC_NATIVE | ClassFile.ACC_SYNCHRONIZED,
                        _ -> {}));
    assertRefused(
        odd,
        "method=run(int)void, last instruction=none yet: a native synchronized method has no body"
            + " to weave");
  }

  @Test
  void subroutines() {
    byte[] odd =
        compiled(
            ClassFile.JAVA_1_VERSION,
            STATIC | ClassFile.ACC_SYNCHRONIZED,
            code -> {
              Label subroutine = code.newLabel();
              code.with(DiscontinuedInstruction.JsrInstruction.of(subroutine));
              code.return_();
              code.labelBinding(subroutine);
              code.astore(0);
              code.with(DiscontinuedInstruction.RetInstruction.of(0));
            });
    assertRefused(
        odd,
        "method=run()void, last instruction=JSR at 0: jsr and ret, of compilers before Java 6,"
            + " can't be woven");
  }

  @Test
  void aStaticMethodOlderThanClassConstants() {
    assertRefused(
        compiled(
            ClassFile.JAVA_4_VERSION, STATIC | ClassFile.ACC_SYNCHRONIZED, CodeBuilder::return_),
        "a static synchronized method in a class file older than Java 5: version=48.0");
  }

  @Test
  void bytesThatAreNoClass() {
    assertRefused(new byte[] {1, 2, 3}, "not a class file that JDK 25 can read");
  }

  @Test
  void aLoaderToWhichTheHooksCantBeBrought() {
    byte[] odd =
        compiled(
            ClassFile.JAVA_25_VERSION, STATIC | ClassFile.ACC_SYNCHRONIZED, CodeBuilder::return_);
    Class<?> refused = defined(transformed(odd, ClassLoader.getPlatformClassLoader(), null));
    assertThatThrownBy(() -> Class.forName(NAME, true, refused.getClassLoader()))
        .isInstanceOf(LinkageError.class)
        .hasMessageContaining(
            "its class loader does not find the hooks, and they can't be brought to it: class="
                + Hooks.CLASS)
        .hasMessageContaining("not here: redefineModule");
  }

  /// One of the program's own, which throws from where the agent calls it.
  private static final class Throwing extends ClassLoader {
    private final RuntimeException exception;
    private final Error error;

    Throwing(RuntimeException exception, Error error) {
      super(RefusalTest.class.getClassLoader());
      this.exception = exception;
      this.error = error;
    }

    private void fail() {
      if (exception != null) {
        throw exception;
      }
      throw error;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) {
      fail();
      return null;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      fail();
      return null;
    }
  }

  private static final List<ClassLoader> THROWING =
      List.of(
          new Throwing(new UnsupportedOperationException("thrown by the loader"), null),
          new Throwing(null, new NoClassDefFoundError("thrown by the loader")));

  @Test
  void aLoaderThatThrowsInsteadOfFindingFiles() {
    byte[] odd =
        compiled(
            ClassFile.JAVA_25_VERSION,
            STATIC | ClassFile.ACC_SYNCHRONIZED,
            code -> code.getstatic(ClassDesc.of("org.odd.Other"), "field", CD_int).pop().return_());
    for (ClassLoader loader : THROWING) {
      assertThat(Weaver.weave(odd, loader).bytes()).isPresent();
    }
  }

  @Test
  void aLoaderThatThrowsWhereItIsAskedForTheHooks() {
    byte[] odd =
        compiled(
            ClassFile.JAVA_25_VERSION, STATIC | ClassFile.ACC_SYNCHRONIZED, CodeBuilder::return_);
    for (ClassLoader loader : THROWING) {
      Class<?> refused = defined(transformed(odd, loader, null));
      assertThatThrownBy(() -> Class.forName(NAME, true, refused.getClassLoader()))
          .isInstanceOf(LinkageError.class)
          .hasMessageContaining("they can't be brought to it: class=" + Hooks.CLASS);
    }
  }

  @Test
  void whatTheTypesLackIsTold() {
    byte[] odd =
        ClassFile.of(
                ClassHierarchyResolverOption.of(
                    ClassHierarchyResolver.defaultResolver()
                        .orElse(_ -> ClassHierarchyInfo.ofClass(CD_Object))))
            .build(
                ClassDesc.of(NAME),
                builder ->
                    builder.withMethodBody(
                        "run",
                        MethodTypeDesc.of(CD_void, CD_int),
                        STATIC | ClassFile.ACC_SYNCHRONIZED,
                        RefusalTest::oneOfTwoTypes));
    assertThat(Weaver.weave(odd, RefusalTest.class.getClassLoader()).lacking())
        .containsExactlyInAnyOrder("org.odd.A", "org.odd.B");
  }

  private static void oneOfTwoTypes(CodeBuilder code) {
    code.iload(0)
        .ifThenElse(
            first -> first.getstatic(ClassDesc.of(NAME), "a", ClassDesc.of("org.odd.A")),
            second -> second.getstatic(ClassDesc.of(NAME), "b", ClassDesc.of("org.odd.B")))
        .pop()
        .return_();
  }

  @Test
  void theMethodsOfALoadedClassThrowAndItsShapeStays() throws Exception {
    byte[] odd = compiled(ClassFile.JAVA_25_VERSION, STATIC, RefusalTest::manyInstructions);
    Class<?> refused =
        defined(transformed(odd, RefusalTest.class.getClassLoader(), RefusalTest.class));
    assertThat(refused.getDeclaredMethods())
        .extracting("name")
        .containsExactlyInAnyOrder("run", "other");
    assertThat(refused.getField("field").getInt(null)).isZero();
    assertThatThrownBy(() -> refused.getMethod("other").invoke(null))
        .hasCauseInstanceOf(LinkageError.class);
  }

  @Test
  void whateverElseFailsTheJvmGetsNoClassFile() {
    byte[] answer = transformed("org.odd.no;name", null, RefusalTest.class.getClassLoader(), null);
    assertThatThrownBy(() -> defined(answer)).isInstanceOf(LinkageError.class);
  }
}
