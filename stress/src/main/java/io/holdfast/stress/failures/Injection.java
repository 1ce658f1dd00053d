package io.holdfast.stress.failures;

import java.util.List;
import java.util.Locale;

/// What fails at the N-th place, and what fails after it.
public enum Injection {
  /// One allocation fails: another thread took the last of the heap, and gave it back.
  ALLOCATION(Place.ALLOCATION, false),
  /// From the N-th on each allocation of the thread fails, until the operation is over.
  HEAP(Place.ALLOCATION, true),
  /// One lambda can't be made at its first use: the JVM wraps an `OutOfMemoryError` that it meets
  /// there, and nobody can tell by its class that it was one.
  LINKAGE(Place.LINK, false),
  /// One frame finds no room: frames of compiled and of interpreted code differ in size.
  FRAME(Place.FRAME, false),
  /// From the N-th on each frame as deep as that one fails, until the operation is over.
  STACK(Place.FRAME, true),
  /// One call of the file system fails with EIO.
  EIO(Place.FILE, false),
  /// From the N-th on each call of the file system fails with EIO.
  DEVICE(Place.FILE, true),
  /// From the N-th on each call of the file system fails with ENOSPC.
  ENOSPC(Place.FILE, true);

  /// The kinds of places in woven code.
  enum Place {
    /// An allocation, or a call to the JDK that may make one.
    ALLOCATION,
    /// A lambda, or a string that is put together.
    LINK,
    /// The entry of a method, or a call to the JDK.
    FRAME,
    /// A call to the JDK that throws an IOException.
    FILE
  }

  /// Not `STACK`: where the stack ends in the call that gives a lock back, the next thread that
  /// wants the lock is told after a second (LOCK-6), so its rows take long.
  static final List<Injection> USUAL =
      List.of(ALLOCATION, HEAP, LINKAGE, FRAME, EIO, DEVICE, ENOSPC);

  private final Place place;
  private final boolean lasts;

  Injection(Place place, boolean lasts) {
    this.place = place;
    this.lasts = lasts;
  }

  Place place() {
    return place;
  }

  /// Whether it goes on to fail after the N-th place.
  boolean lasts() {
    return lasts;
  }

  /// What is thrown.
  Throwable failure() {
    return switch (this) {
      case ALLOCATION, HEAP -> new OutOfMemoryError(Trap.INJECTED);
      case LINKAGE -> new BootstrapMethodError(Trap.INJECTED, new OutOfMemoryError(Trap.INJECTED));
      case FRAME, STACK -> new StackOverflowError(Trap.INJECTED);
      case EIO, DEVICE -> new java.io.IOException("Input/output error");
      case ENOSPC -> new java.io.IOException("No space left on device");
    };
  }

  public static Injection of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
