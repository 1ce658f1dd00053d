package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What the verifier's types need to know of other classes, read from class files: nothing is
/// loaded, since a class that is loaded while another is woven would run unwoven itself.
final class ClassHierarchy {
  private static final ClassHierarchyResolver JDK =
      ClassHierarchyResolver.ofResourceParsing(ClassLoader.getPlatformClassLoader());

  /// Shared by all classes, since all see the same JDK. It holds what was found only, so it is no
  /// larger than the JDK.
  private static final Map<ClassDesc, ClassHierarchyInfo> JDK_CLASSES = new ConcurrentHashMap<>();

  /// A class whose file is not to be found (it was made at run time) counts as one below Object. If
  /// that is too little to join two paths, the JVM refuses the woven class, which so does not run.
  private static final ClassHierarchyResolver UNKNOWN = _ -> ClassHierarchyInfo.ofClass(CD_Object);

  /// As a class sees it.
  ///
  /// @param loader of the class; `null` for the boot loader
  static ClassHierarchyResolver around(ClassModel self, ClassLoader loader) {
    ClassHierarchyResolver resolver = of(self).orElse(ClassHierarchy::ofJdk);
    if (loader != null) {
      resolver = resolver.orElse(ClassHierarchyResolver.ofResourceParsing(loader));
    }
    return resolver.orElse(UNKNOWN).cached();
  }

  private static ClassHierarchyResolver of(ClassModel self) {
    ClassDesc name = self.thisClass().asSymbol();
    ClassHierarchyInfo info =
        isInterface(self.flags())
            ? ClassHierarchyInfo.ofInterface()
            : ClassHierarchyInfo.ofClass(self.superclass().map(e -> e.asSymbol()).orElse(null));
    return asked -> asked.equals(name) ? info : null;
  }

  private static ClassHierarchyInfo ofJdk(ClassDesc asked) {
    ClassHierarchyInfo info = JDK_CLASSES.get(asked);
    if (info == null) {
      info = JDK.getClassInfo(asked); // not under a lock of the map: this may load classes
      if (info != null) {
        JDK_CLASSES.put(asked, info);
      }
    }
    return info;
  }

  private static boolean isInterface(AccessFlags flags) {
    return flags.has(AccessFlag.INTERFACE);
  }

  private ClassHierarchy() {}
}
