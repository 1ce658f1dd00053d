/// What looks at a whole tree: proving it sound, listing it, and saving what can be read of a
/// damaged one.
package io.holdfast.collections.tree.repair;
