/// Bytecode weaving with the JDK's Class-File API: `synchronized` blocks and methods become
/// failure-atomic sections, without a change to their source.
package io.holdfast.agent;
