package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;

import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;

/// What the verifier's types need to know of other classes, read from class files: nothing is
/// loaded, since a class that is loaded while another is woven would run unwoven itself.
final class ClassHierarchy {
  /// A class whose file is not to be found (it was made at run time) counts as one below Object. If
  /// that is too little to join two paths, the JVM refuses the woven class, which so does not run.
  private static final ClassHierarchyInfo UNKNOWN = ClassHierarchyInfo.ofClass(CD_Object);

  /// As a class sees it.
  static ClassHierarchyResolver around(KnownClasses classes) {
    ClassHierarchyResolver resolver =
        asked -> {
          String descriptor = asked.descriptorString();
          ClassHierarchyInfo info = classes.place(descriptor.substring(1, descriptor.length() - 1));
          return info == null ? UNKNOWN : info;
        };
    return resolver.cached();
  }

  private ClassHierarchy() {}
}
