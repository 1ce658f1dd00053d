package io.holdfast.codec;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A type whose parameters are known.
///
/// @param arguments of a generic class; an array's type of elements; else empty
/// @param name for messages
record TypeRef(Class<?> raw, List<TypeRef> arguments, String name) {
  static TypeRef of(Class<?> type) {
    return type.isArray() && !type.componentType().isPrimitive()
        ? arrayOf(of(type.componentType()))
        : new TypeRef(type, List.of(), type.getTypeName());
  }

  static TypeRef of(Class<?> generic, List<TypeRef> arguments) {
    String list = arguments.stream().map(TypeRef::name).collect(Collectors.joining(", ", "<", ">"));
    return new TypeRef(generic, arguments, generic.getTypeName() + list);
  }

  private static TypeRef arrayOf(TypeRef element) {
    return new TypeRef(element.raw.arrayType(), List.of(element), element.name + "[]");
  }

  /// The type of a component of this one.
  TypeRef resolve(Type type) {
    return switch (type) {
      case Class<?> known -> of(known);
      case ParameterizedType generic -> parameterized(generic);
      case GenericArrayType array -> arrayOf(resolve(array.getGenericComponentType()));
      case TypeVariable<?> variable -> argument(variable);
      default -> unknown(type); // a wildcard
    };
  }

  private TypeRef parameterized(ParameterizedType generic) {
    Class<?> type = (Class<?>) generic.getRawType();
    List<TypeRef> resolved =
        Arrays.stream(generic.getActualTypeArguments()).map(this::resolve).toList();
    return of(type, resolved);
  }

  private TypeRef argument(TypeVariable<?> variable) {
    int index = Arrays.asList(raw.getTypeParameters()).indexOf(variable);
    return index >= 0 && index < arguments.size() ? arguments.get(index) : unknown(variable);
  }

  /// There is no codec of `Object`, so this is refused by its name.
  private static TypeRef unknown(Type type) {
    return new TypeRef(Object.class, List.of(), type.getTypeName());
  }

  @Override
  public String toString() {
    return name;
  }
}
