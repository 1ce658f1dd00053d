package io.holdfast.agent;

/// What is woven only if it is wanted.
///
/// @param tasks hooks by which a task depends on who hands it over
/// @param lockSets hooks that compare the locks at accesses of a store's collection
record Extras(boolean tasks, boolean lockSets) {
  static final Extras DEFAULT = new Extras(true, false);
}
