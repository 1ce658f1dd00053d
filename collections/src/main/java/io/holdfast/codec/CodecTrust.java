package io.holdfast.codec;

import java.util.List;
import java.util.Set;

/// What a collection must reckon with when it calls a codec: code of the program's may run, and may
/// write what it can't read. For Holdfast's collections, not for programs.
///
/// @param encodesAlone whether encoding runs no code of the program's: the value is of a final
///   class of the JDK's
/// @param runsCallersCode whether decoding runs code of the program's: a codec of its own, or a
///   record's constructor
/// @param needsReadBack whether what was encoded must be read back before it is stored, because
///   nothing else shows that it can be: a codec of the program's, or a set or a map of records,
///   whose `equals` may find fewer elements than there are bytes. The other built-in codecs check
///   while they write
public record CodecTrust(boolean encodesAlone, boolean runsCallersCode, boolean needsReadBack) {
  private static final CodecTrust FULL = new CodecTrust(true, false, false);
  private static final CodecTrust OBJECT = new CodecTrust(false, false, false);
  private static final CodecTrust RECORD = new CodecTrust(false, true, false);
  private static final CodecTrust NONE = new CodecTrust(false, true, true);

  /// Numbers of these classes may be of a program's subclass.
  private static final Set<String> OPEN = Set.of("BigInteger", "BigDecimal");

  /// The trust in a codec and its parts.
  public static CodecTrust of(Codec<?> codec) {
    return of(BuiltIn.schemaOf(codec));
  }

  private static CodecTrust of(Schema schema) {
    // No switch: the first one over classes of a new process takes some 5 ms, and maps open here.
    if (schema instanceof Schema.Leaf leaf) {
      return OPEN.contains(leaf.name()) ? OBJECT : FULL;
    }
    if (schema instanceof Schema.Container container) {
      return ofContainer(container);
    }
    if (schema instanceof Schema.Named named) {
      return named.kind().equals("enum") ? FULL : RECORD.and(of(named.members()));
    }
    return schema instanceof Schema.Enclosing ? RECORD : NONE;
  }

  private static CodecTrust ofContainer(Schema.Container container) {
    CodecTrust all = OBJECT;
    for (Schema argument : container.arguments()) {
      all = all.and(of(argument));
    }
    boolean hasUniqueKeys = container.name().equals("Set") || container.name().equals("Map");
    boolean keysDecide = hasUniqueKeys && of(container.arguments().getFirst()).runsCallersCode();
    return keysDecide ? all.and(NONE) : all;
  }

  private static CodecTrust of(List<Schema.Member> members) {
    CodecTrust all = FULL;
    for (Schema.Member member : members) {
      all = all.and(of(member.schema()));
    }
    return all;
  }

  private CodecTrust and(CodecTrust other) {
    return new CodecTrust(
        encodesAlone && other.encodesAlone,
        runsCallersCode || other.runsCallersCode,
        needsReadBack || other.needsReadBack);
  }
}
