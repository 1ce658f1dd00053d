package io.holdfast;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.StoredCollection;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// The collections of a store that are open, by name: the same name gives the same object.
///
/// Thread-safe.
final class OpenCollections {
  private final Path path;
  private final Region region;
  private final boolean onFile;
  private final Map<String, StoredCollection> opened = new ConcurrentHashMap<>();

  /// @param onFile whether the region outlives the process as a file does
  OpenCollections(Path path, Region region, boolean onFile) {
    this.path = path;
    this.region = region;
    this.onFile = onFile;
  }

  /// Opens or creates a collection.
  ///
  /// @throws IllegalArgumentException if the name belongs to something else, if its elements have a
  ///   form that the codecs can't read, or if it is open with elements of another class
  @SuppressWarnings("unchecked") // the fingerprint says of which form the elements are
  <C extends StoredCollection> C open(String name, Kind<C> kind) {
    Objects.requireNonNull(name, "name");
    StoredCollection.checkOutside(region);
    StoredCollection open = opened.get(name);
    if (open != null && isOpenAs(name, kind)) {
      return (C) open;
    }
    StoredCollection found;
    if (region.sections().heldBack() instanceof TransactionOverlay transaction) {
      check(name, kind); // what is refused is opened by no run: to end this one would be in vain
      transaction.beforeOpening();
      // What its body creates stays, whatever becomes of that run: it is no part of it.
      found = PrivateThread.call("holdfast-opening", () -> openLocked(name, kind));
    } else {
      found = openLocked(name, kind);
    }
    if (open == null) {
      region.sections().acknowledge();
    }
    return (C) found;
  }

  /// Without this object's lock: a thread that deletes a collection has it, and may wait for one
  /// that a transaction has locked before its body runs.
  private boolean isOpenAs(String name, Kind<?> kind) {
    region.sections().checkUsable();
    Root root = region.roots().find(name);
    return root != null
        && root.kind().equals(kind.kind())
        && !kind.leavesBytes()
        && adapted(root, kind).fingerprint().equals(root.fingerprint());
  }

  /// Whether a root is a part of something that is no collection to programs.
  static boolean isHidden(Root root) {
    return root != null && CollectionKind.isHidden(root.kind());
  }

  private synchronized StoredCollection openLocked(String name, Kind<?> kind) {
    String fingerprint = kind.fingerprint();
    region.sections().checkUsable();
    region.roots().check(name, kind.kind(), fingerprint);
    Root root = kind.isMade() ? findOrCreate(name, kind, fingerprint) : find(name, kind);
    check(root, kind);
    Kind<?> adapted = adapted(root, kind);
    StoredCollection open = opened.get(name);
    if (open == null || kind.leavesBytes()) {
      store(root, adapted.fingerprint());
    }
    if (open == null) {
      open = region.sections().guarded(() -> adapted.open(region, root.firstBlock(), onFile));
      opened.put(name, open);
    } else if (!kind.leavesBytes() && !adapted.fingerprint().equals(root.fingerprint())) {
      throw new IllegalArgumentException(
          "%s: %s %s is open with elements of another class: found=%s, asked=%s"
              .formatted(path, kind.kind(), name, root.fingerprint(), fingerprint));
    }
    return open;
  }

  private Root find(String name, Kind<?> kind) {
    Root found = region.roots().find(name);
    if (found == null || !found.kind().equals(kind.kind())) {
      throw new RootDeletedException(
          "%s: the %s \"%s\" was deleted".formatted(path, kind.kind(), name));
    }
    return found;
  }

  private Root findOrCreate(String name, Kind<?> kind, String fingerprint) {
    Root found = region.roots().find(name);
    if (found != null) {
      return found;
    }
    Root created =
        region
            .roots()
            .create(name, kind.kind(), fingerprint, () -> kind.of().create(region, fingerprint));
    ifUndone(() -> neverWas(name));
    return created;
  }

  /// Reads what all of a kind hold, as it is stored. What is deleted meanwhile is left out.
  <T> List<T> list(
      String kind, BiFunction<Root, PersistentHashMap<Long, byte[]>, Stream<T>> reading) {
    List<T> found = new ArrayList<>();
    for (Root root : region.roots().all()) {
      if (root.kind().equals(kind)) {
        try {
          var stored = open(root.name(), new Kind.OfBytes(kind, root.fingerprint(), null));
          found.addAll(reading.apply(root, stored).toList());
        } catch (RootDeletedException e) {
          // There is nothing to list.
        }
      }
    }
    return List.copyOf(found);
  }

  /// The collection of a name if it is open, else `null`.
  StoredCollection opened(String name) {
    return opened.get(name);
  }

  /// Looks whether a collection is of another kind or form, if there is one: before several are
  /// opened, or none.
  ///
  /// @throws IllegalArgumentException as {@link #open}
  void check(String name, Kind<?> kind) {
    Root root = region.roots().find(name);
    if (root != null) {
      check(root, kind);
      adapted(root, kind);
    }
  }

  private void check(Root root, Kind<?> kind) {
    if (!root.kind().equals(kind.kind())) {
      throw new IllegalArgumentException(
          "%s: \"%s\" is a %s of %s, and was asked for as a %s of %s. Open it as what it is, or use another name"
              .formatted(
                  path,
                  root.name(),
                  root.kind(),
                  root.fingerprint(),
                  kind.kind(),
                  kind.fingerprint()));
    }
  }

  /// The kind with the codecs by which the root's elements are read and written from now on.
  private Kind<?> adapted(Root root, Kind<?> kind) {
    try {
      return kind.adaptedTo(root.fingerprint());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s: the %s \"%s\" cannot be opened with these types: %s"
              .formatted(path, root.kind(), root.name(), e.getMessage()),
          e);
    }
  }

  /// Before the first element is written under it: an element of a form that no fingerprint names
  /// could be taken for another one's.
  private void store(Root root, String fingerprint) {
    if (!fingerprint.equals(root.fingerprint())) {
      region.roots().changeFingerprint(root.name(), fingerprint);
      ifUndone(() -> neverWas(root.name()));
    }
  }

  /// The section that created a collection, or opened it in a new form, was rolled back. Without
  /// this object's lock, which may be held by who waits for that.
  private void neverWas(String name) {
    StoredCollection open = opened.remove(name);
    if (open != null) {
      open.deleted(true);
    }
  }

  /// Has something done if the section that the thread is in, if any, is rolled back.
  private void ifUndone(VolatileState state) {
    if (SectionHooks.inSection()) {
      region.sections().current().enlist(state);
    }
  }

  /// As {@link Holdfast#rename}.
  void rename(String name, String newName) {
    Objects.requireNonNull(newName, "newName");
    refuseInTransaction("rename");
    StoredCollection.checkOutside(region);
    if (isHidden(region.roots().find(name))) {
      throw new IllegalArgumentException(
          "%s: \"%s\" belongs to a resumable or a job, whose name programs call it by. It can be deleted"
              .formatted(path, name));
    }
    renameLocked(name, newName);
    region.sections().acknowledge();
  }

  private synchronized void renameLocked(String name, String newName) {
    region.sections().checkUsable();
    region.roots().rename(Objects.requireNonNull(name, "name"), newName);
    move(name, newName);
    ifUndone(() -> move(newName, name));
  }

  private void refuseInTransaction(String what) {
    if (region.sections().heldBack() instanceof TransactionOverlay) {
      throw new IllegalStateException(
          "%s: %s in a transaction, which could not take it back. Nothing has changed; do it before or after"
              .formatted(path, what));
    }
  }

  private void move(String name, String newName) {
    StoredCollection open = opened.remove(name);
    if (open != null) {
      opened.put(newName, open);
    }
  }

  /// Deletes a root; its blocks are still to be freed, and the caller waits for the device.
  ///
  /// @return whether there was one
  /// @throws IllegalArgumentException if this version does not know its kind
  boolean delete(String name) {
    Objects.requireNonNull(name, "name");
    refuseInTransaction("delete");
    StoredCollection.checkOutside(region);
    return deleteLocked(name);
  }

  private synchronized boolean deleteLocked(String name) {
    region.sections().checkUsable();
    Root root = region.roots().find(name);
    if (root == null) {
      return false;
    }
    DeletedRoots.checkKind(path, root);
    StoredCollection open = opened.get(name);
    boolean deleted =
        open == null ? region.roots().delete(name) : region.roots().delete(name, open::delete);
    opened.remove(name);
    if (open != null) {
      ifUndone(
          () -> {
            open.deleted(false);
            opened.put(name, open);
          });
    }
    return deleted;
  }

  /// Tells them that the store is closed, and lets go of them.
  void closed() {
    List.copyOf(opened.values()).forEach(StoredCollection::storeClosed);
    opened.clear();
  }
}
