package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `@FailureAtomic` and `@NotFailureAtomic`.
class WovenAnnotationsTest {
  private static final String NAME = "com.acme.Annotated";
  private static final ClassDesc FAILURE_ATOMIC = ClassDesc.of("io.holdfast.FailureAtomic");
  private static final ClassDesc NOT_FAILURE_ATOMIC = ClassDesc.of("io.holdfast.NotFailureAtomic");

  private final Woven annotated =
      new Woven(WovenLoader.real().with(NAME, withAnnotations(WovenLoader.read(NAME))), NAME);
  private final List<Boolean> trace = new ArrayList<>();
  private final Runnable body = () -> trace.add(SectionHooks.inSection());

  private static byte[] withAnnotations(byte[] plain) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(plain),
        (builder, element) -> {
          if (element instanceof MethodModel method && annotation(method) != null) {
            builder.withMethod(
                method.methodName(),
                method.methodType(),
                method.flags().flagsMask(),
                added -> {
                  method.forEach(added);
                  added.with(
                      RuntimeInvisibleAnnotationsAttribute.of(Annotation.of(annotation(method))));
                });
          } else {
            builder.with(element);
          }
        });
  }

  private static ClassDesc annotation(MethodModel method) {
    String name = method.methodName().stringValue();
    if (name.startsWith("atomic")) {
      return FAILURE_ATOMIC;
    }
    return name.startsWith("kept") ? NOT_FAILURE_ATOMIC : null;
  }

  @AfterEach
  void outside() {
    assertThat(SectionHooks.inSection()).isFalse();
  }

  @Test
  void aFailureAtomicMethodIsASection() {
    annotated.call("atomic", body);
    assertThat(annotated.call("atomicStatic", body, 7L)).isEqualTo(7L);
    annotated.call("atomicSynchronized", body);
    assertThat(trace).containsExactly(true, true, true);
  }

  /// ACK-1 of core.
  @Test
  void whatItDidIsDurableOnADisk(@TempDir Path directory) {
    Holdfast.Options onDisk = Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);
    try (Holdfast store = Holdfast.open(directory.resolve("s.hf"), onDisk)) {
      var map = store.hashMap("map", String.class, Long.class);
      for (String name : List.of("atomic", "atomicSynchronized")) {
        annotated.call(name, (Runnable) () -> map.merge("n", 1L, Long::sum));
        assertThat(store.receipt().isSafe()).isTrue();
      }
    }
  }

  @Test
  void anExceptionEndsIt() {
    Runnable failing =
        () -> {
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(() -> annotated.call("atomic", failing)).hasMessage("failed");
  }

  @Test
  void locksAreKeptOut() {
    ReentrantLock lock = new ReentrantLock();
    Runnable calling =
        () -> {
          body.run();
          annotated.call("woven", body);
        };
    annotated.call("keptOut", new Object(), lock, calling);
    assertThat(trace).containsExactly(false, true);
  }

  @Test
  void whatWasFoundIsTold() {
    Weaver.Result result =
        Weaver.weave(withAnnotations(WovenLoader.read(NAME)), getClass().getClassLoader());
    assertThat(result.methods())
        .extracting(
            method ->
                method.name()
                    + method.sites().stream()
                        .map(Object::toString)
                        .map(site -> site.replaceAll(" in line \\d+", ""))
                        .toList())
        .containsExactly(
            "atomic[@FailureAtomic]",
            "atomicStatic[@FailureAtomic]",
            "atomicSynchronized[@FailureAtomic, synchronized method]",
            "keptOut[left out by @NotFailureAtomic: synchronized method,"
                + " left out by @NotFailureAtomic: synchronized block,"
                + " left out by @NotFailureAtomic: java.util.concurrent.locks.Lock.lock,"
                + " left out by @NotFailureAtomic: java.util.concurrent.locks.Lock.unlock,"
                + " left out by @NotFailureAtomic: java.lang.Object.wait]",
            "woven[synchronized method]");
  }

  private static byte[] without(int flags, ClassDesc... annotations) {
    return ClassFile.of()
        .build(
            ClassDesc.of("org.odd.Annotated"),
            type ->
                type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT)
                    .withMethod(
                        "run",
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_PUBLIC | flags,
                        method ->
                            method.with(
                                RuntimeInvisibleAnnotationsAttribute.of(
                                    List.of(annotations).stream().map(Annotation::of).toList()))));
  }

  @Test
  void aMethodWithoutABodyIsRefused() {
    assertThatThrownBy(() -> Weaver.weave(without(ClassFile.ACC_ABSTRACT, FAILURE_ATOMIC), null))
        .hasMessage(
            "method=run()void, last instruction=none yet: an abstract method has no body to weave,"
                + " but is annotated @FailureAtomic");
    assertThatThrownBy(() -> Weaver.weave(without(ClassFile.ACC_NATIVE, FAILURE_ATOMIC), null))
        .hasMessageContaining("a native method has no body to weave, but is annotated");
    assertThatThrownBy(
            () ->
                Weaver.weave(
                    without(ClassFile.ACC_NATIVE, FAILURE_ATOMIC, NOT_FAILURE_ATOMIC), null))
        .hasMessageContaining("@FailureAtomic and @NotFailureAtomic");
  }

  /// A native synchronized method whose lock is left out needs no body.
  @Test
  void aNativeMethodMayBeLeftOut() {
    int flags = ClassFile.ACC_NATIVE | ClassFile.ACC_SYNCHRONIZED;
    assertThat(Weaver.weave(without(flags, NOT_FAILURE_ATOMIC), null).bytes()).isEmpty();
  }
}
