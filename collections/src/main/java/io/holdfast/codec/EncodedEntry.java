package io.holdfast.codec;

/// An encoded key with the value that it is mapped to.
///
/// @param value may be `null` where a walk leaves long values out
public record EncodedEntry(Encoded key, Encoded value) {}
