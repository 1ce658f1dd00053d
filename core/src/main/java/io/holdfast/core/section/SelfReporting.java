package io.holdfast.core.section;

/// A lock, condition or collection of Holdfast's own, which reports to sections itself: woven calls
/// of it report nothing, or everything would be reported twice.
public interface SelfReporting {}
