package io.holdfast.codec;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;

/// The accessors and the canonical constructor of a record as method handles. They turn an
/// exception of the record's code into a [CodecException] that names the member.
final class RecordMembers {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle FAILURE = failureHandle();

  private final Class<?> type;
  private final List<RecordComponent> components;

  RecordMembers(Class<?> type) {
    this.type = type;
    this.components = List.of(type.getRecordComponents());
  }

  String typeName() {
    return type.getName();
  }

  List<RecordComponent> components() {
    return components;
  }

  /// `(R)C` for the record class R and the component's type C.
  MethodHandle accessor(RecordComponent component) {
    try {
      MethodHandle accessor = LOOKUP.unreflect(accessible(component.getAccessor()));
      return explained(accessor, "Accessor " + component.getName() + "()");
    } catch (IllegalAccessException e) {
      throw new AssertionError(e); // it was made accessible
    }
  }

  /// `(C0, C1, …)R`.
  MethodHandle constructor() {
    Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = accessible(type.getDeclaredConstructor(types));
      return explained(LOOKUP.unreflectConstructor(constructor), "The canonical constructor");
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new AssertionError(e); // every record has one, and it was made accessible
    }
  }

  private <M extends AccessibleObject> M accessible(M member) {
    if (!member.trySetAccessible()) {
      throw notOpen();
    }
    return member;
  }

  private IllegalArgumentException notOpen() {
    Module own = RecordMembers.class.getModule();
    String to = own.isNamed() ? " to " + own.getName() : "";
    String packageName = type.getPackageName();
    String module = type.getModule().getName();
    return new IllegalArgumentException(
        ("Record %s is not accessible: module %s does not open package %s%s; add `opens %s%s;` to"
                + " the module-info.java of %s, or pass a Codec of your own instead of the class")
            .formatted(typeName(), module, packageName, to, packageName, to, module));
  }

  /// Lets errors pass: when memory or stack runs out, the record is not to blame.
  private MethodHandle explained(MethodHandle member, String name) {
    MethodHandle failure = FAILURE.bindTo(name + " of record " + typeName());
    MethodHandle rethrow =
        MethodHandles.filterArguments(
            MethodHandles.throwException(member.type().returnType(), CodecException.class),
            0,
            failure);
    return MethodHandles.catchException(member, Exception.class, rethrow);
  }

  private static CodecException failure(String member, Exception cause) {
    return new CodecException(member + " threw " + cause, cause);
  }

  private static MethodHandle failureHandle() {
    try {
      return LOOKUP.findStatic(
          RecordMembers.class,
          "failure",
          methodType(CodecException.class, String.class, Exception.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
