/// Crash tests of a program's own code, and stores in memory for its other tests.
module io.holdfast.testkit {
  requires transitive io.holdfast;
  requires transitive org.junit.jupiter.api;
  requires java.logging;

  exports io.holdfast.testkit;

  uses io.holdfast.testkit.StoreOpener;

  provides io.holdfast.testkit.StoreOpener with
      io.holdfast.testkit.HoldfastOpener;

  opens io.holdfast.testkit to
      org.junit.platform.commons;
}
