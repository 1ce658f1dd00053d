/// The form of a {@link io.holdfast.jmh.suite.Suite}: {@link io.holdfast.jmh.suite.Part}s that JMH
/// runs in rounds, and trials.
package io.holdfast.jmh.suite;
