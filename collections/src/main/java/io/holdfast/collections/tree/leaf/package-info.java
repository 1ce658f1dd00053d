/// A tree's leaves: their records and hints, how they are read without a lock, changed, and split.
package io.holdfast.collections.tree.leaf;
