package io.holdfast.collections.tree.node;

/// What was read can't be what a node holds: somebody has changed or freed it under a reader, who
/// looks again (TREE-5).
public final class Torn extends RuntimeException {
  public static final Torn TORN = new Torn();

  private static final long serialVersionUID = 1;

  private Torn() {
    super("a node was changed while it was read", null, false, false);
  }
}
