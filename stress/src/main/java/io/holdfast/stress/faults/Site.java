package io.holdfast.stress.faults;

/// One place of the compiled code at which one thing can be left out.
///
/// @param className with dots, and without `io.holdfast.` in front
/// @param member the method or field; what a lambda does belongs to the method that has it
/// @param number 1 for the first of its kind in the methods of that name
public record Site(String className, String member, FaultKind kind, int number) {
  static final String PACKAGE = "io.holdfast.";

  /// The site of a class as class files name it.
  static Site of(String internalName, String member, FaultKind kind, int number) {
    return new Site(
        internalName.replace('/', '.').substring(PACKAGE.length()), member, kind, number);
  }

  /// Reads {@link #toString}.
  ///
  /// @throws IllegalArgumentException if it is none
  static Site parse(String name) {
    int kind = name.indexOf('#');
    int number = name.indexOf('@', kind);
    int member = name.lastIndexOf('.', kind);
    if (kind < 0 || number < 0 || member < 0) {
      throw new IllegalArgumentException("not class.member#kind@number: " + name);
    }
    return new Site(
        name.substring(0, member),
        name.substring(member + 1, kind),
        FaultKind.of(name.substring(kind + 1, number)),
        Integer.parseInt(name.substring(number + 1)));
  }

  /// As class files name it.
  String internalName() {
    return (PACKAGE + className).replace('.', '/');
  }

  /// `class.member#kind@number`: the same for as long as the method has what is in front of it.
  @Override
  public String toString() {
    return className + "." + member + "#" + kind + "@" + number;
  }
}
