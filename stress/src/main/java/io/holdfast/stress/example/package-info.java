/// The examples as workloads of the kill loops: programs that know nothing of sections, under the
/// agent.
package io.holdfast.stress.example;
