package io.holdfast.collections.inspect;

/// The way from a root to a part of its collection.
///
/// @param before the way up to here, `null` at its beginning
/// @param what the part
/// @param offset where it is in the region
public record Trail(Trail before, String what, long offset) {
  /// The way on to a part of this part.
  public Trail to(String part, long at) {
    return new Trail(this, part, at);
  }

  @Override
  public String toString() {
    String here = "%s at 0x%X".formatted(what, offset);
    return before == null ? here : before + " → " + here;
  }
}
