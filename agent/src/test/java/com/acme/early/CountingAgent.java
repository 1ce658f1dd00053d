package com.acme.early;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/// Another agent, as monitoring tools have them: puts a call at the start of each method of
/// `com.acme.app`, and prints at the end how many calls there were.
public class CountingAgent implements ClassFileTransformer {
  private static int calls;

  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new CountingAgent(), true);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println("counted " + (calls > 0))));
  }

  public static void entered() {
    calls++;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> loaded, ProtectionDomain domain, byte[] bytes) {
    if (!name.startsWith("com/acme/app/")) {
      return null;
    }
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(bytes),
        ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(Entry::new)));
  }

  private static final class Entry implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.invokestatic(
          ClassDesc.of(CountingAgent.class.getName()), "entered", ConstantDescs.MTD_void);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
