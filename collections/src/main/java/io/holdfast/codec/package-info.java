/// How keys and values become bytes: by a [io.holdfast.codec.Codec], built in or the caller's own,
/// on the JDK alone and without Java serialization.
///
/// In reading order:
///
/// 1. [io.holdfast.codec.Codec]: what a codec is, and which classes have one;
///    [io.holdfast.codec.WordCodec]: those whose values are words;
/// 2. [io.holdfast.codec.EncodedOutput]: the forms of numbers, lengths and strings, as they are
///    written; [io.holdfast.codec.EncodedInput]: the same when read, with every check;
/// 3. [io.holdfast.codec.CodecException]: what bad bytes and failing records throw;
/// 4. `BuiltInCodecs`: from the type, a `TypeRef`, to its codec. The leaves: `Leaves`, `TimeLeaves`
///    and `PrimitiveArrays`, which are tables of `LeafCodec` and `WordLeafCodec`; `LongCodec` and
///    `StringCodec` by themselves;
/// 5. the containers `ListCodec`, `ArrayCodec`, `SetCodec`, `MapCodec`, `OptionalCodec`, with
///    `Elements`, `AscendingPieces` and `AscendingCheck`;
/// 6. `RecordCodec`: a record by method handles; `RecordHandles` composes them from
///    `ComponentHandles`, how a component is written, and `RecordMembers`, how a record is taken
///    apart and rebuilt; `EnumCodec`, `SealedCodec`; `Enclosing` and `EnclosingCodec`, by which a
///    record contains itself;
/// 7. `Schema`, `SchemaParser` and `Adaptation`: how a codec reads what an earlier form of a class
///    wrote.
///
/// Encoded forms are part of the file format, so a test freezes their bytes and fingerprints. All
/// built-in forms are canonical: a value has one form, and bytes of another are refused. What is
/// read is never trusted: damaged bytes give a `CodecException`, or a value if they happen to be
/// one, but no other exception and no allocation beyond a small multiple of their own size.
///
/// Vocabulary: a *fingerprint* is the text that identifies an encoded form, a *schema* the
/// structure of that text; a *leaf* is a type that contains no others; a *varint* is a number in as
/// few groups of 7 bits as it needs; a component is *absent* if the value was written before it was
/// there.
package io.holdfast.codec;
