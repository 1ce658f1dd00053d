/// How a region that was not closed is taken back to its last consistent cut: `Recovery` scans the
/// logs, has `Decision` decide by `Verdict`'s table, undoes, and forgets.
package io.holdfast.core.recovery;
