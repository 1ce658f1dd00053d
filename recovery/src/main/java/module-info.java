/// What an operator needs of a region: to look at it, to prove it sound, to get everything out of
/// it. The library depends on the JDK and the collections alone; the command line, which is in the
/// same jar, on picocli, Jackson's writer and a progress bar.
module io.holdfast.recovery {
  requires transitive io.holdfast;
  requires static info.picocli;
  requires static com.fasterxml.jackson.core;
  requires static me.tongfei.progressbar;
  requires java.logging;
  requires java.management;
  requires java.management.rmi;
  requires jdk.attach;

  exports io.holdfast.recovery;

  uses io.holdfast.codec.Codec;

  opens io.holdfast.recovery.cli to
      info.picocli;
}
