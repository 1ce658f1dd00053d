/// A tree's layout, its inner nodes, and the way through them to a leaf.
package io.holdfast.collections.tree.node;
