/// How many entries are before a key: counts of subtrees, kept in memory.
package io.holdfast.collections.tree.rank;
