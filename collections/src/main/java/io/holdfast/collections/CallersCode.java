package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.region.Region;
import java.util.Arrays;
import java.util.function.Supplier;

/// Keeps the caller's code that an operation of a collection runs from using that collection.
///
/// **UPDATE-1** While an operation runs a function, a comparator, a codec or an `equals` of the
/// caller's, its thread may hold locks of the collection and be in the middle of a search. A second
/// operation in between would have no order, could change what the first one has found, and could
/// wait for a thread that waits for this one. So the second operation throws before it does
/// anything. Keys, values and elements that are to be stored are encoded before the first lock:
/// that may use the collection. Test: ReentranceTest.
///
/// Thread-safe.
final class CallersCode {
  private static final ThreadLocal<Running> RUNNING = ThreadLocal.withInitial(Running::new);

  private final Region region;
  private final CollectionLabel label;

  /// Whether any code of the caller's has ever run here. A race does no harm: the thread that runs
  /// some has stored it itself.
  private boolean hasRun;

  CallersCode(Region region, CollectionLabel label) {
    this.region = region;
    this.label = label;
  }

  /// What a call that comes back is refused by. Confined to this package, so that what the caller's
  /// code throws by itself can be told from it.
  private static final class RecursiveUpdateException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RecursiveUpdateException(String message) {
      super(message);
    }
  }

  /// Has a codec decode. Whatever it throws by itself says that it can't read the bytes.
  ///
  /// @throws CodecException if it can't
  static <T> T decoded(Codec<T> codec, EncodedInput in) {
    T value;
    try {
      value = codec.decode(in);
    } catch (CodecException | HoldfastException | RecursiveUpdateException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CodecException("it has thrown " + e, e);
    }
    if (value == null) {
      throw new CodecException("the codec %s has decoded null".formatted(codec.fingerprint()));
    }
    return value;
  }

  /// A place in a collection's operations that runs code of the caller's.
  ///
  /// @param rule what that code must not do
  /// @param mayLookUp whether it may look up single keys
  record Place(CallersCode collection, String rule, boolean mayLookUp) {
    /// Runs it.
    <T> T run(Supplier<T> code) {
      Running running = running();
      int outer = running.enter(this);
      try {
        return code.get();
      } finally {
        running.depth = outer;
      }
    }
  }

  /// The places that a thread is in, the outermost first, and its buffers. Confined to a thread.
  static final class Running {
    private final ThreadOutputs outputs = new ThreadOutputs();
    private Place[] places = new Place[4];
    private int depth;

    /// Enters a place.
    ///
    /// @return what {@link #leave} is to be given
    int enter(Place place) {
      if (!place.collection.hasRun) {
        place.collection.hasRun = true;
      }
      int outer = depth;
      if (outer == places.length) {
        places = Arrays.copyOf(places, 2 * outer);
      }
      places[outer] = place;
      depth = outer + 1;
      return outer;
    }

    void leave(int outer) {
      depth = outer;
    }

    ThreadOutputs outputs() {
      return outputs;
    }
  }

  static Running running() {
    return RUNNING.get();
  }

  Place place(String rule, boolean mayLookUp) {
    return new Place(this, rule, mayLookUp);
  }

  /// To be called by an operation before it takes a lock.
  ///
  /// @throws IllegalStateException inside of the caller's code
  void check() {
    check(false);
  }

  /// To be called by an operation that looks up a single key.
  ///
  /// @throws IllegalStateException inside of the caller's code that must not do that
  void checkLookUp() {
    check(true);
  }

  @SuppressWarnings("ReferenceEquality") // this very collection
  private void check(boolean isLookUp) {
    if (!hasRun) {
      return;
    }
    Running running = RUNNING.get();
    for (int i = 0; i < running.depth; i++) {
      Place place = running.places[i];
      if (place.collection == this && !(isLookUp && place.mayLookUp)) {
        throw new RecursiveUpdateException(
            "%s: Recursive update: %s. Nothing has changed".formatted(label, place.rule));
      }
    }
  }

  /// To be called by what locks the list of a store's collections, which other threads hold while
  /// they wait for a collection's locks; and by what ends a transaction, and with it the operation.
  ///
  /// @throws IllegalStateException if the thread is inside of an operation of one of them
  @SuppressWarnings("ReferenceEquality") // this very region
  static void checkOutside(Region region) {
    Running running = RUNNING.get();
    for (int i = 0; i < running.depth; i++) {
      CallersCode collection = running.places[i].collection;
      if (collection.region == region) {
        throw new RecursiveUpdateException(
            "%s: Recursive update: code that runs inside of one of its operations must not open, rename or delete collections, nor tell a job's safe point. Nothing has changed; do it before the operation or after it"
                .formatted(collection.label));
      }
    }
  }
}
