package io.holdfast.agent;

import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// A woven class that forks a task in a `StructuredTaskScope` and joins it. Written instruction by
/// instruction, since javac lets no class name what is a preview in JDK 25; the JVM does.
final class Scopes {
  private static final String NAME = "com.acme.Scopes";
  private static final ClassDesc SELF = ClassDesc.of(NAME);
  private static final ClassDesc SCOPE = ClassDesc.of("java.util.concurrent.StructuredTaskScope");
  private static final ClassDesc SUBTASK = SCOPE.nested("Subtask");
  private static final ClassDesc CALLABLE = ClassDesc.of("java.util.concurrent.Callable");
  private static final ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");
  private static final Woven WOVEN = new Woven(Litmus.LOADER.with(NAME, bytes()), NAME);

  static Object fork(Runnable act) {
    return WOVEN.call("fork", act);
  }

  /// It is the task itself: a `Callable`.
  private static byte[] bytes() {
    return ClassFile.of()
        .build(
            SELF,
            type -> {
              type.withFlags(ACC_PUBLIC);
              type.withInterfaceSymbols(CALLABLE);
              type.withField("act", RUNNABLE, 0);
              type.withMethodBody(
                  INIT_NAME,
                  MTD_void,
                  ACC_PUBLIC,
                  code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_());
              type.withMethodBody(
                  "call",
                  MethodTypeDesc.of(CD_Object),
                  ACC_PUBLIC,
                  code ->
                      code.aload(0)
                          .getfield(SELF, "act", RUNNABLE)
                          .invokeinterface(RUNNABLE, "run", MTD_void)
                          .aconst_null()
                          .areturn());
              type.withMethodBody(
                  "fork",
                  MethodTypeDesc.of(CD_Object, RUNNABLE),
                  ACC_PUBLIC,
                  code ->
                      code.aload(0)
                          .aload(1)
                          .putfield(SELF, "act", RUNNABLE)
                          .invokestatic(SCOPE, "open", MethodTypeDesc.of(SCOPE), true)
                          .astore(2)
                          .aload(2)
                          .aload(0)
                          .invokeinterface(SCOPE, "fork", MethodTypeDesc.of(SUBTASK, CALLABLE))
                          .pop()
                          .aload(2)
                          .invokeinterface(SCOPE, "join", MethodTypeDesc.of(CD_Object))
                          .pop()
                          .aload(2)
                          .invokeinterface(SCOPE, "close", MethodTypeDesc.of(CD_void))
                          .aconst_null()
                          .areturn());
            });
  }

  private Scopes() {}
}
