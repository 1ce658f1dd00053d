/// The front door of Holdfast, its collections and its codecs: all that a user's program needs.
///
/// What collections are on media is open to the recovery module only, which is compiled after this
/// one: hence the suppression.
@SuppressWarnings("module")
module io.holdfast {
  requires transitive io.holdfast.core;
  requires java.management;
  requires jdk.jfr;

  exports io.holdfast;
  exports io.holdfast.codec;
  exports io.holdfast.collections;
  exports io.holdfast.collections.inspect to
      io.holdfast.recovery;
  exports io.holdfast.collections.kind to
      io.holdfast.recovery;
  exports io.holdfast.collections.map to
      io.holdfast.recovery;
  exports io.holdfast.collections.map.slot to
      io.holdfast.recovery;
  exports io.holdfast.collections.map.repair to
      io.holdfast.recovery;
  exports io.holdfast.collections.queue to
      io.holdfast.recovery;
  exports io.holdfast.collections.tree to
      io.holdfast.recovery;
  exports io.holdfast.collections.tree.node to
      io.holdfast.recovery;
  exports io.holdfast.collections.tree.repair to
      io.holdfast.recovery;
  exports io.holdfast.verification;
}
