package io.holdfast.core.section;

/// A lock or condition of Holdfast's own, which calls the hooks itself: woven calls of it tell
/// nothing, or everything would be told twice.
public interface SelfReporting {}
