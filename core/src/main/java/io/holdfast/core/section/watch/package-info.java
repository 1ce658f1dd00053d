/// What Holdfast reports about sections that are open for long, wait for long, or change two
/// stores: as log lines, as JFR events, and to the tools. Nothing that is durable depends on it.
package io.holdfast.core.section.watch;
