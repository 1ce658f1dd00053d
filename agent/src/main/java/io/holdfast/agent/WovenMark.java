package io.holdfast.agent;

import java.lang.classfile.AttributeMapper;
import java.lang.classfile.AttributeMapper.AttributeStability;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.BufWriter;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassReader;
import java.lang.classfile.CustomAttribute;
import java.lang.classfile.attribute.UnknownAttribute;

/// The class-file attribute `io.holdfast.Woven`, which says that a class is woven already: at build
/// time, as a rule, and then it comes to the agent. Woven twice, each lock would count twice.
///
/// | bytes | content |
/// |---|---|
/// | 0 to 1 | which weaver wrote it, {@link #WEAVER} |
///
/// - **MARK-1** A woven class has the mark, whichever way it was woven, and one that is marked is
///   not woven again. Test: BuildTimeTest.whatWasWovenIsNotWovenAgain.
/// - **MARK-2** A mark of another weaver is a refusal: what its hook calls mean is not known here.
///   Test: BuildTimeTest.whatAnotherWeaverWove.
final class WovenMark extends CustomAttribute<WovenMark> {
  static final String NAME = "io.holdfast.Woven";

  /// To be raised when code that was woven before would not do with the hooks of today.
  static final int WEAVER = 2;

  private static final Mapper MAPPER = new Mapper();

  private final int weaver;

  WovenMark(int weaver) {
    super(MAPPER);
    this.weaver = weaver;
  }

  static WovenMark ofThisWeaver() {
    return new WovenMark(WEAVER);
  }

  /// @param model parsed without options that know the attribute
  /// @throws WeavingException if another weaver's mark is on it
  static boolean isOn(ClassModel model) {
    for (var attribute : model.attributes()) {
      if (attribute instanceof UnknownAttribute mark && mark.attributeName().equalsString(NAME)) {
        check(mark.contents());
        return true;
      }
    }
    return false;
  }

  private static void check(byte[] contents) {
    int weaver = contents.length == 2 ? (contents[0] & 0xff) << 8 | contents[1] & 0xff : -1;
    if (weaver != WEAVER) {
      throw new WeavingException(
          "it was woven by another version of the agent: weaver=%d, this one=%d. Weave it again from the class file that the compiler made"
              .formatted(weaver, WEAVER));
    }
  }

  private static final class Mapper implements AttributeMapper<WovenMark> {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public WovenMark readAttribute(AttributedElement enclosing, ClassReader in, int position) {
      return new WovenMark(in.readU2(position));
    }

    @Override
    public void writeAttribute(BufWriter out, WovenMark mark) {
      out.writeIndex(out.constantPool().utf8Entry(NAME));
      out.writeInt(2);
      out.writeU2(mark.weaver);
    }

    @Override
    public AttributeStability stability() {
      return AttributeStability.STATELESS;
    }
  }
}
