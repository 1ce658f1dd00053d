/// What an operator needs of a region: inspect, verify, salvage, compact, back up, export. Recovery
/// itself is not here: a region recovers when it is opened.
///
/// In reading order: {@link io.holdfast.verification.OverlayMemory} lets a region be recovered
/// without its file being changed, {@link io.holdfast.recovery.Verification} proves it sound. Long
/// work tells a {@link io.holdfast.recovery.Progress} how far it has come.
package io.holdfast.recovery;
