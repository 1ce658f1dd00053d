/// The logs that the CSO paper compares its own with (5.1), as formats of the same {@link
/// io.holdfast.core.log.AppendLog}: to be measured, not to be used.
///
/// {@link io.holdfast.jmh.log.TwoRounds}, the baseline, and {@link io.holdfast.jmh.log.AtlasLog}
/// link their entries; those of {@link io.holdfast.jmh.log.Checksummed} sum them up; {@link
/// io.holdfast.jmh.log.Tornbit} marks their words.
package io.holdfast.jmh.log;
