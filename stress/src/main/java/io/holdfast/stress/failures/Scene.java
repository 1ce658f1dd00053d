package io.holdfast.stress.failures;

/// An operation, or several of them, of which one fails.
///
/// @param given what is in the store before; run once, without failures
/// @param operation tells the stage of each step that it has done ({@link Stage#did})
/// @param victim what the name of the thread begins with that fails; `null` if it is the one that
///   runs the operation
record Scene(String name, Action given, Action operation, String victim) {
  /// Something done on a stage.
  interface Action {
    void on(Stage stage) throws Exception;
  }

  Scene(String name, Action given, Action operation) {
    this(name, given, operation, null);
  }

  /// Whether the operation opens the store itself.
  boolean opens() {
    return name.startsWith("open-");
  }
}
