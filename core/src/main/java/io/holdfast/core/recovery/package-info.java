/// What opening a region does: {@link io.holdfast.core.recovery.Region} creates, refuses or
/// recovers. `Recovery` scans the logs, has `Decision` decide by `Verdict`'s table, undoes, and
/// forgets.
package io.holdfast.core.recovery;
