/// What was measured, {@link io.holdfast.jmh.report.Results}, a file; what is asked of it, {@link
/// io.holdfast.jmh.report.Target} and {@link io.holdfast.jmh.report.Bound}; and the parts that a
/// {@link io.holdfast.jmh.report.Page} is made of.
package io.holdfast.jmh.report;
