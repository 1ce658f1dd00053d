/// What Holdfast reports about sections that are open for long, wait for long, or change two
/// stores, and about what woven code does that is likely wrong: as log lines, as JFR events, and to
/// the tools. Nothing that is durable depends on it.
package io.holdfast.core.section.watch;
