/// Counts flushes, fences, lines and bytes of the log.
package io.holdfast.jmh.count;
