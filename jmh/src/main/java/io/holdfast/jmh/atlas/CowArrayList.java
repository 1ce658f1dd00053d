package io.holdfast.jmh.atlas;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// A list in an array that every mutation copies, as `CopyOnWriteArrayList` (Atlas, 6.4.1,
/// `cow_al`). Two threads; each changes the list and then traverses it, which takes no lock. An
/// operation is a mutation and a traversal.
///
/// | block | word 0 | word 1 | word 2 and on |
/// |---|---|---|---|
/// | root | the list's array | the array before it | |
/// | array | how many elements | their sum | the elements |
///
/// **COW-1** An array is whole, its sum right, when the list names it, and is not changed any more:
/// a traversal finds one state of the list. **COW-2** An array is freed when no traversal is in it:
/// a thread that traverses one says so, looks whether it is still the list's, and says when it is
/// through.
///
/// The paper leaves open when an array is freed, and in Java it is the collector that knows. Here
/// the mutation after the one that replaced it frees it, waiting for a traversal that is still in
/// it: it holds a lock, but no traversal needs one.
public final class CowArrayList extends Program {
  private static final int THREADS = 2;
  private static final int BEFORE = 8;
  private static final int ROOT_BYTES = 16;
  private static final int SUM = 8;
  private static final int ELEMENTS = 16;

  /// Distance of two threads' words in `traversed`: two lines, so that neither disturbs the other.
  private static final int APART = 128 / Long.BYTES;

  /// A prime, so that the elements that are changed are all over the list.
  private static final int STRIDE = 37;

  private final Object lock = new Object();
  private final long root;
  private final int leastLength;

  /// By thread, the array that it traverses, or 0.
  private final AtomicLongArray traversed = new AtomicLongArray((THREADS + 1) * APART);

  /// @param length of a new list; a run makes it longer by a few and then as long as it was
  public CowArrayList(ProgramMemory memory, int length) {
    super(memory);
    root = memory.root(ROOT_BYTES);
    leastLength = length;
    if (memory.read(root) == 0) {
      create();
    }
  }

  private void create() {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long array = newArray(leastLength, (leastLength - 1L) * leastLength / 2);
        for (int i = 0; i < leastLength; i++) {
          memory.writeNew(at(array, i), i);
        }
        memory.write(root, array);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  private long newArray(int length, long sum) {
    long array = memory.allocate(bytes(length));
    memory.writeNew(array, length);
    memory.writeNew(array + SUM, sum);
    return array;
  }

  private static int bytes(int length) {
    return ELEMENTS + length * Long.BYTES;
  }

  private static long at(long array, int index) {
    return array + ELEMENTS + (long) index * Long.BYTES;
  }

  private int length(long array) {
    return (int) memory.read(array);
  }

  @Override
  public int threads() {
    return THREADS;
  }

  /// Adds an element, replaces one, removes one, and so on.
  ///
  /// @param operations a multiple of 6, so that each thread removes as many as it adds
  @Override
  public void run(int thread, int operations) {
    int own = operations / THREADS;
    require(own * THREADS == operations && own % 3 == 0, "operations=%d", operations);
    for (int i = 0; i < own; i++) {
      int index = (thread + i) * STRIDE % leastLength;
      switch (i % 3) {
        case 0 -> add(i);
        case 1 -> set(index, i);
        default -> remove(index);
      }
      traverse(thread);
    }
  }

  /// Adds an element at the end.
  @CompilerControl(Mode.DONT_INLINE)
  public void add(long element) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long array = memory.read(root);
        int length = length(array);
        long copy = newArray(length + 1, memory.read(array + SUM) + element);
        memory.copyNew(at(array, 0), at(copy, 0), length * Long.BYTES);
        memory.writeNew(at(copy, length), element);
        replace(array, copy);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  /// Replaces an element.
  @CompilerControl(Mode.DONT_INLINE)
  public void set(int index, long element) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long array = memory.read(root);
        int length = length(array);
        long sum = memory.read(array + SUM) - memory.read(at(array, index)) + element;
        long copy = newArray(length, sum);
        memory.copyNew(at(array, 0), at(copy, 0), length * Long.BYTES);
        memory.writeNew(at(copy, index), element);
        replace(array, copy);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  /// Removes an element.
  @CompilerControl(Mode.DONT_INLINE)
  public void remove(int index) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long array = memory.read(root);
        int length = length(array);
        long sum = memory.read(array + SUM) - memory.read(at(array, index));
        long copy = newArray(length - 1, sum);
        memory.copyNew(at(array, 0), at(copy, 0), index * Long.BYTES);
        memory.copyNew(at(array, index + 1), at(copy, index), (length - 1 - index) * Long.BYTES);
        replace(array, copy);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  private void replace(long array, long copy) {
    long before = memory.read(root + BEFORE);
    memory.write(root + BEFORE, array);
    memory.write(root, copy); // COW-1
    if (before != 0) {
      awaitTraversals(before);
      memory.free(before, bytes(length(before)));
    }
  }

  private void awaitTraversals(long array) {
    // COW-2: orders what the last mutation wrote, that this array is not the list's, before the
    // reads of who traverses what. Test: CowArrayListTest.anArrayThatIsTraversedIsNotFreed.
    VarHandle.fullFence();
    Patience patience = new Patience();
    for (int thread = 0; thread < THREADS; thread++) {
      while (traversed.getAcquire(place(thread)) == array) {
        patience.wear();
      }
    }
  }

  private static int place(int thread) {
    return (thread + 1) * APART;
  }

  /// Traverses the list.
  ///
  /// @return the sum of its elements
  /// @throws IllegalStateException if that is not what the list says it is
  @CompilerControl(Mode.DONT_INLINE)
  public long traverse(int thread) {
    long array = beginTraversal(thread);
    int length = length(array);
    long sum = 0;
    for (int i = 0; i < length; i++) {
      sum += memory.read(at(array, i));
    }
    long expected = memory.read(array + SUM);
    endTraversal(thread);
    require(sum == expected, "COW-1: sum=%d, expected=%d", sum, expected);
    return sum;
  }

  long beginTraversal(int thread) {
    long array = memory.readAcquire(root);
    while (true) {
      traversed.set(place(thread), array);
      VarHandle.fullFence(); // COW-2: the other half
      long current = memory.readAcquire(root);
      if (current == array) {
        return array;
      }
      array = current;
    }
  }

  void endTraversal(int thread) {
    traversed.setRelease(place(thread), 0);
  }

  @Override
  public List<Long> content() {
    traverse(0);
    long array = memory.read(root);
    List<Long> elements = new ArrayList<>();
    for (int i = 0; i < length(array); i++) {
      elements.add(memory.read(at(array, i)));
    }
    return elements;
  }

  @Override
  public int blocks() {
    return memory.read(root + BEFORE) == 0 ? 2 : 3;
  }
}
