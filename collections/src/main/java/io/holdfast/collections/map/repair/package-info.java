/// What looks at a whole map: making its index anew, proving it sound, freeing it, and saving what
/// can be read of a damaged one.
package io.holdfast.collections.map.repair;
