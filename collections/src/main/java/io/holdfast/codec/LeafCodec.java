package io.holdfast.codec;

/// The codec of a type that contains no others, by two functions.
///
/// @param name its fingerprint
/// @param fixedSize bytes, or 0
record LeafCodec<T>(String name, int fixedSize, Writer<T> writer, Reader<T> reader, T absentOrNull)
    implements BuiltIn<T> {
  interface Writer<T> {
    void write(T value, EncodedOutput out);
  }

  /// May throw any runtime exception: constructors and factories of the JDK check what they get.
  interface Reader<T> {
    T read(EncodedInput in);
  }

  LeafCodec(String name, int fixedSize, Writer<T> writer, Reader<T> reader) {
    this(name, fixedSize, writer, reader, null);
  }

  @Override
  public Schema schema() {
    return new Schema.Leaf(name);
  }

  @Override
  public T absent() {
    return absentOrNull;
  }

  @Override
  public void encode(T value, EncodedOutput out) {
    writer.write(value, out);
  }

  @Override
  public T decode(EncodedInput in) {
    try {
      return reader.read(in);
    } catch (CodecException e) {
      throw e;
    } catch (RuntimeException e) {
      throw in.refused("Cannot read " + name + ": " + e.getMessage(), e);
    }
  }
}
