/// How keys and values become bytes: by a [io.holdfast.codec.Codec], built in or the caller's own,
/// on the JDK alone and without Java serialization.
///
/// In reading order:
///
/// 1. [io.holdfast.codec.Codec]: what a codec is, and which classes have one;
/// 2. [io.holdfast.codec.EncodedOutput]: the forms of numbers, lengths and strings, as they are
///    written; [io.holdfast.codec.EncodedInput]: the same when read, with every check;
/// 3. [io.holdfast.codec.CodecException]: what bad bytes and failing records throw;
/// 4. `BuiltInCodecs`: from the class to its codec; `IntegerCodec`, `LongCodec`, `StringCodec` and
///    `ByteArrayCodec`: the leaves;
/// 5. `RecordCodec`: a record by two method handles; `RecordHandles` composes them from
///    `ComponentHandles`, how a component is written, and `RecordMembers`, how a record is taken
///    apart and rebuilt.
///
/// Encoded forms are part of the file format, so a test freezes their bytes and fingerprints. All
/// built-in forms are canonical: a value has one form, and bytes of another are refused. What is
/// read is never trusted: damaged bytes give a `CodecException`, or a value if they happen to be
/// one, but no other exception and no allocation beyond their own size.
///
/// Vocabulary: a *fingerprint* is the text that identifies an encoded form; a *leaf* is a type that
/// contains no others; a *varint* is a number in as few groups of 7 bits as it needs.
package io.holdfast.codec;
