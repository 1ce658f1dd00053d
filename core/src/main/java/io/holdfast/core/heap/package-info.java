/// Allocation and roots: {@link io.holdfast.core.heap.Heap}, whose blocks come and go with the
/// section that allocates or frees them, and {@link io.holdfast.core.heap.RootDirectory}, from
/// which everything is found.
package io.holdfast.core.heap;
