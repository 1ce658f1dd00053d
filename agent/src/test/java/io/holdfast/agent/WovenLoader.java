package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.Map;

/// Weaves, verifies and defines the classes of `com.acme`, and those given to it.
final class WovenLoader extends ClassLoader {
  private static final String WOVEN = "com.acme.";

  private final Map<String, byte[]> given = new HashMap<>();
  private final boolean recording;
  private final boolean hasFiles;

  private WovenLoader(boolean recording, boolean hasFiles) {
    super(WovenLoader.class.getClassLoader());
    this.recording = recording;
    this.hasFiles = hasFiles;
  }

  /// With {@link HookRecorder} in the place of core's hooks.
  static WovenLoader recording() {
    return new WovenLoader(true, true);
  }

  /// With core's hooks.
  static WovenLoader real() {
    return new WovenLoader(false, true);
  }

  /// The same, but as a compiler's in memory: it is asked in vain for its classes' files.
  static WovenLoader realWithoutFiles() {
    return new WovenLoader(false, false);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    return hasFiles || !name.startsWith("com/acme/") ? super.getResourceAsStream(name) : null;
  }

  WovenLoader with(String name, byte[] bytes) {
    given.put(name, bytes);
    return this;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      if (found != null) {
        return found;
      }
      if (recording && name.equals(Hooks.CLASS)) {
        return define(name, HookRecorder.hooks());
      }
      if (name.startsWith(WOVEN) || given.containsKey(name)) {
        return define(name, weave(name, this));
      }
    }
    return super.loadClass(name, resolve);
  }

  private Class<?> define(String name, byte[] bytes) {
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] weave(String name, ClassLoader loader) {
    byte[] bytes = given.containsKey(name) ? given.get(name) : read(name);
    return Weaver.weave(bytes, loader).bytes().map(woven -> verified(woven, loader)).orElse(bytes);
  }

  /// The verifier of the Class-File API knows only class files with stack maps, of Java 6 or later.
  static byte[] verified(byte[] woven, ClassLoader loader) {
    ClassModel model = ClassFile.of().parse(woven);
    if (model.majorVersion() >= ClassFile.JAVA_6_VERSION) {
      var resolver = ClassHierarchy.around(new KnownClasses(model, loader));
      assertThat(ClassFile.of(ClassHierarchyResolverOption.of(resolver)).verify(woven)).isEmpty();
    }
    return woven;
  }

  static byte[] read(String name) {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = WovenLoader.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
