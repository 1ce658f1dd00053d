package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// The calls of core's hooks that are woven in. Named, never linked to.
final class Hooks {
  static final String CLASS = "io.holdfast.core.section.SectionHooks";
  static final String PACKAGE = "io.holdfast.core.section";
  static final String MODULE = "io.holdfast.core";

  private static final ClassDesc OWNER = ClassDesc.of(CLASS);
  private static final MethodTypeDesc OF_LOCK = MethodTypeDesc.of(CD_void, CD_Object);

  /// Stack: lock → nothing.
  static void acquired(CodeBuilder code) {
    code.invokestatic(OWNER, "acquired", OF_LOCK);
  }

  /// Stack: lock → nothing.
  static void releasing(CodeBuilder code) {
    code.invokestatic(OWNER, "releasing", OF_LOCK);
  }

  private Hooks() {}
}
