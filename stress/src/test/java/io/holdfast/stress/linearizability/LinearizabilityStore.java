package io.holdfast.stress.linearizability;

import io.holdfast.Holdfast;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The store of the linearizability tests. Lincheck makes an object of a test for each of its many
/// runs, so they share a store, and each run has keys of its own.
final class LinearizabilityStore {
  private static Path file;
  private static Holdfast store;

  static synchronized Holdfast open() {
    if (store == null) {
      try {
        file = Files.createTempFile("linearizability", ".hf");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      store = Holdfast.open(file);
    }
    return store;
  }

  static synchronized void close() throws IOException {
    if (store != null) {
      store.close();
      store = null;
      Files.delete(file);
      Files.delete(file.resolveSibling(file.getFileName() + ".lock"));
    }
  }

  private LinearizabilityStore() {}
}
