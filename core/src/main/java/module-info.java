/// Regions, logs, failure-atomic sections, recovery and the heap, over the JDK alone.
///
/// Users see `io.holdfast.core`; every other package is open to Holdfast's own modules only. Those
/// modules are compiled after this one, so that javac does not know them yet: hence the
/// suppression.
@SuppressWarnings("module")
module io.holdfast.core {
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires jdk.nio.mapmode;
  requires jdk.unsupported;

  exports io.holdfast.core;
  exports io.holdfast.core.persistence to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.disk to
      io.holdfast,
      io.holdfast.recovery,
      io.holdfast.testkit;
  exports io.holdfast.core.redo to
      io.holdfast,
      io.holdfast.recovery,
      io.holdfast.testkit;
  exports io.holdfast.core.memory to
      io.holdfast,
      io.holdfast.recovery,
      io.holdfast.testkit;
  exports io.holdfast.core.log to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.section to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.section.commit to
      io.holdfast;
  exports io.holdfast.core.section.watch to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.section.hooks to
      io.holdfast,
      io.holdfast.agent;
  exports io.holdfast.core.heap to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.recovery to
      io.holdfast,
      io.holdfast.recovery;
  exports io.holdfast.core.region to
      io.holdfast,
      io.holdfast.recovery;
}
