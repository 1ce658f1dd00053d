/// Entries of a word each for key and value, in the segments of a stripe's index: one line, and no
/// slots.
package io.holdfast.collections.map.word;
