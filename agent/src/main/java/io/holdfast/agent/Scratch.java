package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Locals in which woven code puts what is on the stack aside. They are used again at the next
/// place, since nothing stays in them.
///
/// Confined to the weaving of one method.
final class Scratch {
  private final Map<TypeKind, Map<Integer, Integer>> slots = new EnumMap<>(TypeKind.class);

  /// Stack: value → nothing.
  ///
  /// @param index of the value at its place; 0 is for the receiver
  void store(CodeBuilder code, ClassDesc type, int index) {
    TypeKind kind = kind(type);
    code.storeLocal(kind, slot(code, kind, index));
  }

  /// Stack: nothing → value.
  void load(CodeBuilder code, ClassDesc type, int index) {
    TypeKind kind = kind(type);
    code.loadLocal(kind, slot(code, kind, index));
  }

  /// Stack: all arguments → nothing. They get the indexes from 1.
  void storeAll(CodeBuilder code, List<ClassDesc> types) {
    for (int i = types.size(); i > 0; i--) {
      store(code, types.get(i - 1), i);
    }
  }

  /// Stack: nothing → all arguments.
  void loadAll(CodeBuilder code, List<ClassDesc> types) {
    for (int i = 1; i <= types.size(); i++) {
      load(code, types.get(i - 1), i);
    }
  }

  private static TypeKind kind(ClassDesc type) {
    return TypeKind.from(type).asLoadable();
  }

  private int slot(CodeBuilder code, TypeKind kind, int index) {
    return slots
        .computeIfAbsent(kind, _ -> new HashMap<>())
        .computeIfAbsent(index, _ -> code.allocateLocal(kind));
  }
}
