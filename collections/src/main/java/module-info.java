/// The front door of Holdfast, its collections and its codecs: all that a user's program needs.
module io.holdfast {
  requires transitive io.holdfast.core;

  exports io.holdfast;
  exports io.holdfast.codec;
  exports io.holdfast.collections;
}
