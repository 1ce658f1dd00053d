/// Proof that the crash explorer finds bugs: a toy structure, and copies of the logs, each with one
/// deliberate fault.
package io.holdfast.core.faults;
