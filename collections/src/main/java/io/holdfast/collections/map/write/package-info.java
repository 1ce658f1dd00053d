/// How a stripe's entries are changed: in a single trip, in a section, or as part of a batch; and
/// what a stripe keeps in memory for that.
package io.holdfast.collections.map.write;
