package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.Treatment.Twin;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The hooks that the agent names are those that core has.
class HooksTest {
  @Test
  void everyTwinIsThere() throws Exception {
    assertThat(CallTable.twins()).hasSizeGreaterThan(30);
    for (Twin twin : CallTable.twins()) {
      MethodType type = twin.type().resolveConstantDesc(MethodHandles.lookup());
      Class<?> hooks = (Class<?>) twin.hooks().resolveConstantDesc(MethodHandles.lookup());
      assertThat(MethodHandles.publicLookup().findStatic(hooks, twin.name(), type)).isNotNull();
    }
  }

  /// A method that calls them all links.
  @Test
  void everyHookIsThere() throws Exception {
    List<Consumer<CodeBuilder>> hooks =
        List.of(
            code -> Hooks.acquired(code.loadConstant("monitor")),
            code -> Hooks.releasing(code.loadConstant("monitor")),
            Hooks::enter,
            Hooks::exit,
            code -> Hooks.read(code.loadConstant("channel")),
            code -> Hooks.writing(code.loadConstant("channel")),
            code -> Hooks.readStatic(code, "field"),
            code -> Hooks.writingStatic(code, "field"),
            Hooks::readStaticByHandle,
            Hooks::writingStaticByHandle,
            code -> Hooks.tookBySuper(code.aload(0)),
            code -> {
              code.iconst_0();
              Hooks.triedBySuper(code.aload(0));
              code.pop();
            },
            code -> Hooks.releasingBySuper(code.aload(0)));
    byte[] calls =
        ClassFile.of()
            .build(
                ClassDesc.of("io.holdfast.agent.Calls"),
                type ->
                    type.withMethodBody(
                        "all",
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code -> {
                          newLock(code).astore(0);
                          hooks.forEach(hook -> hook.accept(code));
                          code.return_();
                        }));
    MethodHandles.lookup().defineClass(calls).getMethod("all").invoke(null);
  }

  private static CodeBuilder newLock(CodeBuilder code) {
    ClassDesc lock = ClassDesc.of("java.util.concurrent.locks.ReentrantLock");
    return code.new_(lock).dup().invokespecial(lock, "<init>", ConstantDescs.MTD_void);
  }
}
