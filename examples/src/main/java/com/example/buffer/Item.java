package com.example.buffer;

/// What goes through the buffer.
///
/// @param producer who made it
/// @param number counts its producer's items, from 0
public record Item(int producer, long number) {}
