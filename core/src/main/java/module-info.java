/// Regions, logs, failure-atomic sections, recovery and the heap, over the JDK alone.
///
/// Users see `io.holdfast.core`; every other package is open to Holdfast's own modules only. Those
/// modules are compiled after this one, so that javac does not know them yet: hence the
/// suppression.
@SuppressWarnings("module")
module io.holdfast.core {
  requires jdk.jfr;

  exports io.holdfast.core;
}
