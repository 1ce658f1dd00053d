package io.holdfast.stress.kill;

/// One kill.
///
/// @param life of which worker of the loop, from 0
/// @param acknowledged how often the worker had acknowledged something
public record Kill(int life, Strike strike, Ending ending, long acknowledged) {}
