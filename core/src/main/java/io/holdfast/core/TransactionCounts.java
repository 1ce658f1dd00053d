package io.holdfast.core;

/// How often transactions ended, and their bodies ran in vain, since the store was opened.
///
/// @param committed transactions that ended and kept what they did
/// @param aborted runs of a body whose readings had changed before its end
/// @param waited runs that asked to wait for a change
/// @param locking runs that locked the collections which they came to, since others were in vain
public record TransactionCounts(long committed, long aborted, long waited, long locking) {}
