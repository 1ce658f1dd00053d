/// How many entries are before a key, by counts of subtrees that are kept in memory.
package io.holdfast.collections.tree.rank;
