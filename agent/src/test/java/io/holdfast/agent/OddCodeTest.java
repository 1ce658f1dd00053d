package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.MTD_void;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Code that javac does not write.
class OddCodeTest {
  private static final String NAME = "org.odd.Code";
  private static final ClassDesc RUNNABLE = Runnable.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc TWO_LOCKS =
      MethodTypeDesc.of(CD_void, CD_Object, CD_Object, RUNNABLE);
  private static final int STATIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;

  private final Object a = "lock a";
  private final Object b = "lock b";
  private final Runnable body = () -> HookRecorder.add("body");

  @BeforeEach
  void forget() {
    HookRecorder.reset();
  }

  private static byte[] compiled(
      String method, MethodTypeDesc type, int flags, Consumer<CodeBuilder> code) {
    return ClassFile.of()
        .build(ClassDesc.of(NAME), odd -> odd.withMethodBody(method, type, flags, code::accept));
  }

  private static Class<?> woven(byte[] odd) throws ClassNotFoundException {
    return WovenLoader.recording().with(NAME, odd).loadClass(NAME);
  }

  /// As Kotlin does: neither the exit nor the handler is in the handler's range.
  private static void narrowBlock(CodeBuilder code, int lock, Consumer<CodeBuilder> inside) {
    code.aload(lock).monitorenter();
    Label start = code.newBoundLabel();
    inside.accept(code);
    Label end = code.newBoundLabel();
    Label behind = code.newLabel();
    code.aload(lock).monitorexit().goto_(behind);
    Label handler = code.newBoundLabel();
    code.aload(lock).monitorexit().athrow();
    code.labelBinding(behind);
    code.exceptionCatchAll(start, end, handler);
  }

  private static byte[] nestedNarrowBlocks() {
    return compiled(
        "run",
        TWO_LOCKS,
        STATIC,
        code -> {
          narrowBlock(
              code,
              0,
              outer ->
                  narrowBlock(
                      outer,
                      1,
                      inner -> inner.aload(2).invokeinterface(RUNNABLE, "run", MTD_void)));
          code.return_();
        });
  }

  private void runNested(Class<?> odd) throws Throwable {
    try {
      odd.getMethod("run", Object.class, Object.class, Runnable.class).invoke(null, a, b, body);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void narrowHandlers() throws Throwable {
    runNested(woven(nestedNarrowBlocks()));
    assertThat(HookRecorder.events())
        .containsExactly(
            "acquired lock a", "acquired lock b", "body", "releasing lock b", "releasing lock a");
  }

  @Test
  void narrowHandlersWhenAHookThrows() throws Throwable {
    Class<?> odd = woven(nestedNarrowBlocks());
    HookRecorder.throwAt("releasing lock b"::equals);
    assertThatThrownBy(() -> runNested(odd)).isInstanceOf(StackOverflowError.class);
    assertThat(HookRecorder.events())
        .containsExactly(
            "acquired lock a", "acquired lock b", "body", "releasing lock b", "releasing lock a");
    assertThat(Thread.holdsLock(a)).isFalse();
    assertThat(Thread.holdsLock(b)).isFalse();
  }

  @Test
  void aMethodThatOverwritesThis() throws Throwable {
    byte[] odd =
        ClassFile.of()
            .build(
                ClassDesc.of(NAME),
                builder -> {
                  builder.withMethodBody(
                      "<init>",
                      MTD_void,
                      ClassFile.ACC_PUBLIC,
                      code -> code.aload(0).invokespecial(CD_Object, "<init>", MTD_void).return_());
                  builder.withMethodBody(
                      "toString",
                      MethodTypeDesc.of(ClassDesc.of("java.lang.String")),
                      ClassFile.ACC_PUBLIC,
                      code -> code.ldc("odd").areturn());
                  builder.withMethodBody(
                      "run",
                      MethodTypeDesc.of(CD_int),
                      ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNCHRONIZED,
                      code -> code.bipush(7).istore(0).iload(0).ireturn());
                });
    Class<?> type = woven(odd);
    Object instance = type.getConstructor().newInstance();
    assertThat(type.getMethod("run").invoke(instance)).isEqualTo(7);
    assertThat(HookRecorder.events()).containsExactly("acquired odd", "releasing odd");
  }

  /// Weaving moves the target of a jump beyond the 32 KiB that a short jump reaches. As Kotlin's
  /// compiler writes `mutex.withLock { }`, but for the states of the coroutine.
  @Test
  void aCoroutinesMutexIsAWarning() {
    ClassDesc mutex = ClassDesc.of("kotlinx.coroutines.sync.Mutex");
    ClassDesc continuation = ClassDesc.of("kotlin.coroutines.Continuation");
    byte[] odd =
        compiled(
            "run",
            MethodTypeDesc.of(CD_Object, mutex, continuation),
            STATIC,
            code ->
                code.aload(0)
                    .aconst_null()
                    .aload(1)
                    .invokeinterface(
                        mutex, "lock", MethodTypeDesc.of(CD_Object, CD_Object, continuation))
                    .aload(0)
                    .aconst_null()
                    .invokeinterface(mutex, "unlock", MethodTypeDesc.of(CD_void, CD_Object))
                    .areturn());
    Weaver.Result result = Weaver.weave(odd, getClass().getClassLoader());
    assertThat(result.bytes()).isEmpty();
    String what = "not woven: a coroutine's lock, which belongs to no thread: ";
    assertThat(result.methods().getFirst().sites())
        .extracting(WovenMethod.Site::toString)
        .containsExactly(
            what + "kotlinx.coroutines.sync.Mutex.lock",
            what + "kotlinx.coroutines.sync.Mutex.unlock");
  }

  @Test
  void aJumpThatGrows() throws Throwable {
    byte[] odd =
        compiled(
            "run",
            TWO_LOCKS,
            STATIC,
            code -> {
              Label far = code.newLabel();
              code.aconst_null().ifnull(far);
              narrowBlock(code, 0, CodeBuilder::nop);
              for (int i = 0; i < Short.MAX_VALUE - 30; i++) {
                code.nop();
              }
              code.labelBinding(far);
              narrowBlock(code, 1, CodeBuilder::nop);
              code.return_();
            });
    runNested(woven(odd));
    assertThat(HookRecorder.events()).containsExactly("acquired lock b", "releasing lock b");
  }

  /// The interpreter runs it, so it is woven, without guards.
  @Test
  void monitorsThatDoNotNest() throws Throwable {
    byte[] odd =
        compiled(
            "run",
            TWO_LOCKS,
            STATIC,
            code -> {
              Label join = code.newLabel();
              code.aload(0).monitorenter();
              code.aload(1).ifnull(join);
              code.aload(0).monitorenter();
              code.aload(0).monitorexit();
              code.labelBinding(join);
              code.aload(0).monitorexit();
              code.aload(1).ifnull(join);
              code.return_();
            });
    runNested(woven(odd));
    assertThat(HookRecorder.events())
        .containsExactly(
            "acquired lock a", "acquired lock a", "releasing lock a", "releasing lock a");
  }

  /// The JVM throws at the return of a method that still holds a block's lock. Its section has
  /// ended by then.
  @Test
  void aReturnThatThrows() throws Throwable {
    byte[] odd =
        compiled(
            "run",
            TWO_LOCKS,
            STATIC | ClassFile.ACC_SYNCHRONIZED,
            code -> code.aload(0).monitorenter().return_());
    assertThatThrownBy(() -> runNested(woven(odd)))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThat(HookRecorder.events())
        .containsExactly("acquired Code", "acquired lock a", "releasing Code");
  }
}
