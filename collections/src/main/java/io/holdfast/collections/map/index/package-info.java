/// A stripe's index: a directory of segments, each with buckets of words that lead to slots.
package io.holdfast.collections.map.index;
