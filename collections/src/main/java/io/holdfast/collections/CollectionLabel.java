package io.holdfast.collections;

import io.holdfast.core.region.Region;

/// What a collection is called in messages: file, kind and name, as they are when it is asked.
///
/// @param kind such as `queue`
/// @param root the collection's first block
record CollectionLabel(Region region, String kind, long root) {
  @Override
  public String toString() {
    String name = region.roots().nameOf(root);
    return name == null
        ? "%s: a %s".formatted(region.memory().name(), kind)
        : "%s: the %s \"%s\"".formatted(region.memory().name(), kind, name);
  }
}
