package io.holdfast.stress.demo;

/// A line on its way through the queues.
///
/// @param number how many lines were fed before it
/// @param text the line, without its end
public record Line(long number, String text) {}
