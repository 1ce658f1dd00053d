package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RecoveryReport;
import io.holdfast.core.Regions;
import io.holdfast.core.TransactionCounts;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import io.holdfast.verification.AfterSystemCrash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// A store: named collections in one file, which survive `kill -9` without a save call.
///
/// ```java
/// try (Holdfast store = Holdfast.open(Path.of("shop.hf"))) {
///   BlockingQueue<String> orders = store.queue("orders", String.class);
///   ConcurrentMap<String, Long> sold = store.hashMap("sold", String.class, Long.class);
///   store.atomically(() -> sold.merge(orders.remove(), 1L, Long::sum));
/// }
/// ```
///
/// Opening creates a file that is missing and recovers one that was not closed, without being
/// asked. The file grows by itself. One process, and one store of a process, has a file open at a
/// time; a kernel lock on `NAME.lock` beside it sees to that and dies with its owner. Do not rename
/// the file of an open store.
///
/// There is no opening for reading alone: a store that is in use is refused to others, whatever
/// they want of it, and one that is not may need recovery, which writes. A file that this process
/// may not write to is refused.
///
/// Thread-safe. What is promised of the data: {@link Durability}, and the collection's own words.
public final class Holdfast implements AutoCloseable {
  private final Path path;
  private final Region region;
  private final Supplier<PersistenceCounts> persistence;

  /// Lets go of what holds the region, its lock above all.
  private final Runnable release;

  private final OpenCollections collections;
  private final Transactions transactions;
  private final Blocks blocks;
  private final DeletedRoots deletedRoots;
  private final Resumables resumables;
  private final Jobs jobs;

  /// `null` of one in the crash explorer's memory.
  private StoreBean bean;

  private boolean closing;

  private Holdfast(
      Path path,
      Region region,
      Supplier<PersistenceCounts> persistence,
      Runnable release,
      boolean onFile) {
    this.path = path;
    this.region = region;
    this.persistence = persistence;
    this.release = release;
    this.collections = new OpenCollections(path, region, onFile);
    this.transactions = new Transactions(path.toString(), region.sections());
    this.blocks = new Blocks(path, region.sections(), transactions);
    this.deletedRoots = new DeletedRoots(region);
    this.resumables = new Resumables(this, region, collections, onFile);
    this.jobs = new Jobs(this, region, collections, transactions);
  }

  /// How a store is opened. Immutable.
  public static final class Options {
    private static final Options DEFAULTS = new Options();

    // Stored before a method returns the object, and never after.
    private Durability durability = Durability.PROCESS_CRASH;

    /// `null`: the same.
    private Durability acknowledged;

    private boolean declared;
    private Duration longSection = Duration.ofSeconds(30);
    private boolean stacks;
    private boolean unverified;
    private Regions regions = Regions.OUTERMOST_CRITICAL_SECTION;

    private Options() {}

    private Options(Options other) {
      durability = other.durability;
      acknowledged = other.acknowledged;
      declared = other.declared;
      longSection = other.longSection;
      stacks = other.stacks;
      unverified = other.unverified;
      regions = other.regions;
    }

    /// Survives a crash of the process.
    public static Options defaults() {
      return DEFAULTS;
    }

    /// Names the failure to survive: {@link Durability#PROCESS_CRASH} unless this is called. The
    /// file does not fix it. Each opening chooses, and its choice holds as long as that store is
    /// open.
    public Options durability(Durability failure) {
      Options changed = new Options(this);
      changed.durability = Objects.requireNonNull(failure, "durability");
      return changed;
    }

    /// Names the failure that is survived already when an operation, or a block, returns. By
    /// default that is the one that the store is opened for.
    ///
    /// A store that is opened for `POWER_FAILURE` waits for the device at each operation. With
    /// `acknowledge(PROCESS_CRASH)` it does not: what has returned is not lost when the process is
    /// killed, and survives a loss of power some time later, which is 50 ms and the time of a
    /// write, as long as the device keeps up. A loss of power takes a suffix of what has returned,
    /// never something in the middle: what is left is the store as it was at one moment. {@link
    /// Holdfast#sync} and {@link Holdfast#receipt} tell when something is safe, and {@link
    /// Holdfast#onDurable} waits for it.
    ///
    /// On persistent memory, too: no operation then waits for a write-back, and the store has a log
    /// beside it, and an image of its own, as it has on a disk.
    ///
    /// @param failure no more than the store is opened for, or opening throws an
    ///   `IllegalArgumentException`
    public Options acknowledge(Durability failure) {
      Options changed = new Options(this);
      changed.acknowledged = Objects.requireNonNull(failure, "failure");
      return changed;
    }

    /// States that on this machine what has left the processor's caches survives a loss of power,
    /// although the system does not call the file persistent memory: for machines whose memory has
    /// a battery, for benchmarks and for tests. Without effect on what survives a crash of the
    /// process.
    ///
    /// Opening writes all of the file back from the processor's caches, where an earlier process
    /// may have left it: it takes longer, the longer the file is.
    public Options treatAsPersistentMemory() {
      Options changed = new Options(this);
      changed.declared = true;
      return changed;
    }

    /// Has a section that is open for longer be reported, once, with the stack of its thread: in
    /// the log of `io.holdfast` and by the JFR event `io.holdfast.LongSection`. Nothing that a
    /// section does is durable before it ends. The default is 30 seconds.
    ///
    /// @param time at least a millisecond
    /// @throws IllegalArgumentException if it is less
    public Options reportSectionsOpenFor(Duration time) {
      if (time.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException("too short: time=%s, min=PT0.001S".formatted(time));
      }
      Options changed = new Options(this);
      changed.longSection = time;
      return changed;
    }

    /// Keeps in the file the stack of each thread whose section has been open for about a second.
    /// After the process has died, `holdfast info --last-crash` shows them, of sections that have
    /// stored something: not of those whose changes are all held back in memory. The start, the
    /// thread and the lock's class of such sections are kept without this option, too. Costs a
    /// thread's stack trace for each such section, and sections themselves nothing.
    public Options recordStacks() {
      Options changed = new Options(this);
      changed.stacks = true;
      return changed;
    }

    /// Opens a store without verifying it after the system went down, and so serves whatever the
    /// device has of it: wrong values, missing or doubled elements, and exceptions in the middle of
    /// an operation, all without a word. For data that can be made anew, and to read what can be
    /// read.
    ///
    /// A store that is open for {@link Durability#PROCESS_CRASH} is in the system's page cache. If
    /// the system goes down, the device has each page as it was at some moment of its own. So a
    /// store that was not closed and was last open in another run of the system is verified before
    /// it is served, which reads all of it, and is refused if its parts contradict each other.
    public Options riskMixedDataAfterSystemCrash() {
      Options changed = new Options(this);
      changed.unverified = true;
      return changed;
    }

    /// Says what of a thread's work under locks is atomic. By default that is all from its first
    /// lock to its last release. With {@link Regions#SYNCHRONIZATION_FREE} each release of the
    /// program's own locks ends a section: for programs that hold a lock for long, or pass locks
    /// hand over hand, and whose critical sections are each a complete step. Blocks are atomic
    /// whichever it is.
    ///
    /// It is a property of the program. The file does not record it, so set it at each opening.
    public Options regions(Regions regions) {
      Options changed = new Options(this);
      changed.regions = Objects.requireNonNull(regions, "regions");
      return changed;
    }

    /// The failure to survive.
    public Durability durability() {
      return durability;
    }

    /// Opens a file so that its stores survive that.
    private RegionFile open(Path path) {
      Durability least = acknowledged == null ? durability : acknowledged;
      if (least.compareTo(durability) > 0) {
        throw new IllegalArgumentException(
            "%s: acknowledge(%s) needs a store that is opened for it: durability=%s"
                .formatted(path, least, durability));
      }
      return durability == Durability.PROCESS_CRASH
          ? RegionFile.openOn(path, Disks.processCrash())
          : RegionFile.openOn(path, Disks.powerFailure(declared, least));
    }
  }

  /// Opens a store with the default options.
  ///
  /// @see #open(Path, Options)
  public static Holdfast open(Path path) {
    return open(path, Options.defaults());
  }

  /// Opens a store, creating the file if it is missing or empty. This checks the file's header,
  /// logs and roots. What is in collections is checked when it is read; `holdfast verify` proves
  /// all.
  ///
  /// @throws io.holdfast.core.RegionLockedException if the file is open in another process, or in
  ///   this one
  /// @throws io.holdfast.core.RegionFormatException if it is not a region, or one of a newer
  ///   version; if it was open for `POWER_FAILURE` on a disk and its log, `NAME.log`, is missing or
  ///   another one's; if the file is missing or empty, and beside it is a log that was in use; or
  ///   if that name is taken by another file
  /// @throws io.holdfast.core.RegionDamagedException if it is a region that is cut off or damaged,
  ///   or whose parts contradict each other after the system went down under it; see {@link
  ///   Options#riskMixedDataAfterSystemCrash}
  /// @throws io.holdfast.core.RegionFullException if a new store finds no room
  /// @throws io.holdfast.core.RegionAccessException if the system refuses access, or the file has
  ///   several names (hard links)
  /// @throws IllegalArgumentException if {@link Options#acknowledge} names a failure that the store
  ///   is not opened for
  /// @throws UnsupportedOperationException for `POWER_FAILURE` on a file that is on persistent
  ///   memory, or said to be ({@link Options#treatAsPersistentMemory}), in a process that can't
  ///   write cache lines back; the message says what will work
  public static Holdfast open(Path path, Options options) {
    Objects.requireNonNull(path, "path");
    RegionFile[] opened = new RegionFile[1];
    try {
      return open(path, options, opened);
    } catch (RuntimeException | Error e) {
      if (opened[0] != null) {
        try {
          opened[0].abandon();
        } catch (RuntimeException | Error again) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
  }

  /// A frame of its own: where the stack has ended in what this calls, there is room for a call in
  /// its caller.
  private static Holdfast open(Path path, Options options, RegionFile[] opened) {
    RegionFile file = options.open(path);
    opened[0] = file;
    Region region = null;
    boolean isOpen = false;
    try {
      AfterSystemCrash.verifyIfNeeded(path, file.memory(), options.unverified);
      region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      region.recordOpening();
      region.sections().delimitBy(options.regions);
      region.sections().watch(options.longSection, options.stacks);
      Holdfast store = new Holdfast(path, region, file::persistence, file::close, true);
      store.deletedRoots.freeLater();
      store.bean = new StoreBean(store, region, store.collections, options.durability);
      isOpen = true;
      return store;
    } catch (InternalError e) {
      throw file.memory().faulted(e);
    } finally {
      if (!isOpen && region != null) {
        region.abandon();
      }
    }
  }

  /// Opens a store in a memory, as small as can be: the test kit's way in.
  ///
  /// @hidden
  @SuppressWarnings("exports") // the test kit sees it
  public static Holdfast over(Memory memory) {
    return over(memory, Regions.OUTERMOST_CRITICAL_SECTION);
  }

  /// Opens a store in a memory, with sections delimited as {@link Options#regions} says.
  ///
  /// @hidden
  @SuppressWarnings("exports") // the test kit sees it
  public static Holdfast over(Memory memory, Regions regions) {
    Region region = Region.open(memory, RegionLayout.MIN_BYTES);
    region.sections().delimitBy(regions);
    Holdfast store =
        new Holdfast(
            Path.of(memory.name()), region, () -> PersistenceCounts.NONE, memory::close, false);
    store.deletedRoots.free();
    return store;
  }

  /// The path that the store was opened with.
  public Path path() {
    return path;
  }

  /// What opening found and did.
  public RecoveryReport recovery() {
    return region.report();
  }

  /// How often this store has made data durable since it was opened, and how much; all zero for
  /// `PROCESS_CRASH`, which has nothing to do for it. The JFR event `io.holdfast.Persistence`
  /// reports the same.
  public PersistenceCounts persistence() {
    return persistence.get();
  }

  /// Opens or creates a queue without a bound.
  ///
  /// @param type the class of its elements; see {@link Codec#of}
  /// @throws IllegalArgumentException as {@link #queue(String, Codec, int)}, or if the class has no
  ///   codec
  public <E> PersistentQueue<E> queue(String name, Class<E> type) {
    return queue(name, Codec.of(type));
  }

  /// Opens or creates a bounded queue.
  ///
  /// @param capacity how many elements it holds at most, at least 1. It is not stored: each opening
  ///   says it anew, and a queue that is longer takes no more elements until it is shorter.
  /// @throws IllegalArgumentException as {@link #queue(String, Codec, int)}, or if the class has no
  ///   codec
  public <E> PersistentQueue<E> queue(String name, Class<E> type, int capacity) {
    return queue(name, Codec.of(type), capacity);
  }

  /// Opens or creates a queue without a bound, with a codec of the caller's.
  ///
  /// @throws IllegalArgumentException as {@link #queue(String, Codec, int)}
  public <E> PersistentQueue<E> queue(String name, Codec<E> codec) {
    return queue(name, codec, Integer.MAX_VALUE);
  }

  /// Opens or creates a bounded queue with a codec of the caller's.
  ///
  /// The same name gives the same queue. Its elements may have been written by an earlier form of a
  /// record, an enum or a sealed interface, as {@link Codec#adaptedTo} says; from then on the queue
  /// is one of the present form, and programs of the earlier one can't open it.
  ///
  /// @throws IllegalArgumentException if the name belongs to something else, if its elements have a
  ///   form that the codec can't read, if the queue is open with another capacity or class of
  ///   elements, if the capacity is less than 1, or if the name is too long (more than 2,097,151
  ///   bytes) or has half of a surrogate pair
  /// @throws IllegalStateException inside of a collection's function, as `compute`
  /// @throws io.holdfast.core.RegionFullException if the device has no room for it
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public <E> PersistentQueue<E> queue(String name, Codec<E> codec, int capacity) {
    Objects.requireNonNull(name, "name");
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "%s: queue %s: capacity=%d, allowed=at least 1".formatted(path, name, capacity));
    }
    Objects.requireNonNull(codec, "codec");
    PersistentQueue<E> queue =
        collections.open(name, new Kind.OfQueue<>(PersistentQueue.KIND, codec, capacity));
    if (queue.capacity() != capacity) {
      throw new IllegalArgumentException(
          "%s: queue %s is open with another capacity: found=%d, asked=%d"
              .formatted(path, name, queue.capacity(), capacity));
    }
    return queue;
  }

  /// Opens or creates a queue whose elements can be taken when they are due.
  ///
  /// @param type the class of its elements; see {@link Codec#of}
  /// @throws IllegalArgumentException as {@link #delayQueue(String, Codec)}, or if the class has no
  ///   codec
  public <E> PersistentDelayQueue<E> delayQueue(String name, Class<E> type) {
    return delayQueue(name, Codec.of(type));
  }

  /// Opens or creates such a queue with a codec of the caller's.
  ///
  /// The same name gives the same queue. Its elements may have been written by an earlier form, as
  /// those of a {@link #queue(String, Codec, int)}.
  ///
  /// @throws IllegalArgumentException if the name belongs to something else, if its elements have a
  ///   form that the codec can't read, if it is open with another class of elements, or if the name
  ///   is too long (more than 2,097,151 bytes) or has half of a surrogate pair
  /// @throws IllegalStateException inside of a collection's function, as `compute`
  /// @throws io.holdfast.core.RegionFullException if the device has no room for it
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public <E> PersistentDelayQueue<E> delayQueue(String name, Codec<E> codec) {
    EntryCodec<UUID, E> codecs = EntryCodec.of(Codec.of(UUID.class), codec);
    return collections.open(name, new Kind.OfDelayQueue<>(PersistentDelayQueue.KIND, codecs));
  }

  /// Opens or creates a map.
  ///
  /// @param key the class of its keys; see {@link Codec#of}
  /// @param value the class of its values
  /// @throws IllegalArgumentException as {@link #hashMap(String, Codec, Codec)}, or if a class has
  ///   no codec
  public <K, V> PersistentHashMap<K, V> hashMap(String name, Class<K> key, Class<V> value) {
    return hashMap(name, Codec.of(key), Codec.of(value));
  }

  /// Opens or creates a map with codecs of the caller's.
  ///
  /// The same name gives the same map. Its keys and values may have been written by an earlier form
  /// of a record, an enum or a sealed interface, as {@link Codec#adaptedTo} says; from then on the
  /// map is one of the present form, and programs of the earlier one can't open it.
  ///
  /// @throws IllegalArgumentException if the name belongs to something else, if its keys or values
  ///   have a form that the codecs can't read, if the map is open with another class of keys or
  ///   values, or if the name is too long (more than 2,097,151 bytes) or has half of a surrogate
  ///   pair
  /// @throws IllegalStateException inside of a collection's function, as `compute`
  /// @throws io.holdfast.core.RegionFullException if the device has no room for it
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public <K, V> PersistentHashMap<K, V> hashMap(String name, Codec<K> key, Codec<V> value) {
    EntryCodec<K, V> codecs = EntryCodec.of(key, value);
    return collections.open(name, new Kind.OfHashMap<>(PersistentHashMap.KIND, codecs));
  }

  /// Opens or creates a sorted map, in the natural order of its keys.
  ///
  /// @param key the class of its keys; see {@link Codec#of}
  /// @param value the class of its values
  /// @throws IllegalArgumentException as {@link #treeMap(String, Codec, Codec)}, or if a class has
  ///   no codec
  public <K, V> PersistentTreeMap<K, V> treeMap(String name, Class<K> key, Class<V> value) {
    return treeMap(name, Codec.of(key), Codec.of(value));
  }

  /// Opens or creates a sorted map with codecs of the caller's, in the natural order of its keys.
  ///
  /// The same name gives the same map. Its keys and values may have been written by an earlier
  /// form, as those of a {@link #hashMap(String, Codec, Codec)}.
  ///
  /// @throws IllegalArgumentException if the name belongs to something else, if its keys or values
  ///   have a form that the codecs can't read, if it has another order, if it is open with another
  ///   class of keys or values, or if the name is too long (more than 2,097,151 bytes) or has half
  ///   of a surrogate pair
  /// @throws IllegalStateException inside of a collection's function, as `compute`
  /// @throws io.holdfast.core.RegionFullException if the device has no room for it
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public <K, V> PersistentTreeMap<K, V> treeMap(String name, Codec<K> key, Codec<V> value) {
    return openTreeMap(name, key, value, "", null);
  }

  /// Opens or creates a sorted map in the order of a comparator, whose name is stored: opening the
  /// map with another name is refused. What the name stands for must not change.
  ///
  /// @param order the comparator's name, not empty. If it is the binary name of the comparator's
  ///   class, which is public and has a public constructor without parameters, the command line's
  ///   tools can sort such a map too
  /// @throws IllegalArgumentException as above, or if the order's name is empty
  public <K, V> PersistentTreeMap<K, V> treeMap(
      String name, Codec<K> key, Codec<V> value, String order, Comparator<? super K> comparator) {
    Objects.requireNonNull(comparator, "comparator");
    if (order.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: tree map %s: a comparator must have a name".formatted(path, name));
    }
    return openTreeMap(name, key, value, order, comparator);
  }

  private <K, V> PersistentTreeMap<K, V> openTreeMap(
      String name, Codec<K> key, Codec<V> value, String order, Comparator<? super K> comparator) {
    return collections.open(
        name, new Kind.OfTreeMap<>(EntryCodec.of(key, value), order, comparator));
  }

  /// The collections of the store, oldest first.
  public List<NamedRoot> roots() {
    region.sections().checkUsable();
    return region.roots().all().stream()
        .filter(root -> !OpenCollections.isHidden(root))
        .map(NamedRoot::of)
        .toList();
  }

  /// Gives a collection another name, in a section. What was opened by the old name is the same
  /// collection.
  ///
  /// @throws IllegalArgumentException if there is none of this name, if it is a part of a resumable
  ///   or a job, or if the new one is taken or can't be stored; the same name again changes nothing
  /// @throws IllegalStateException in a transaction or a job, or inside of a collection's function
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public void rename(String name, String newName) {
    collections.rename(name, newName);
  }

  /// Deletes a collection with all that is in it, and gives its space back; a {@link Resumable}
  /// with its calls and results, too, and how far a {@link Job} has come, which is then a new one.
  ///
  /// A crash leaves it there whole, or gone; outside of sections it is gone when this returns. Its
  /// space comes back in as many sections as it takes: of what a crash, or a close, interrupts, in
  /// the background when the store is opened again. Inside of a section all of that belongs to the
  /// section, whose log grows with the number of blocks.
  ///
  /// What was opened by the name throws {@link io.holdfast.core.RootDeletedException} from then on,
  /// also in threads that were waiting. The name is free: another collection may take it.
  ///
  /// @return whether there was one
  /// @throws IllegalArgumentException if this version does not know its kind, or if it is a part of
  ///   a resumable
  /// @throws IllegalStateException in a transaction or a job, or inside of a collection's function
  public boolean delete(String name) {
    boolean deleted = resumables.delete(name);
    if (deleted) {
      deletedRoots.free();
    }
    return deleted;
  }

  /// Runs an action as a failure-atomic section: what it changes in the store survives a crash
  /// whole or not at all. Nests in any section. Durable when this returns.
  ///
  /// It gives crash atomicity, not isolation: what it reads may change meanwhile, and others see
  /// what it did when it gives up a lock in its middle, or changes very much (and then depend on
  /// this section), as with Atlas's durable sections. What it changes in a sorted map whose order
  /// is the program's code, a comparator or a `compareTo`, they see at once. For isolation use
  /// {@link #transaction}, or hold a lock of your own.
  ///
  /// *Exceptions.* If the action throws, the section ends there: what was changed stays, as when an
  /// exception leaves a `synchronized` block; {@link #allOrNothing} undoes it. If the device is
  /// full, what the outermost section did in the store is rolled back, and this throws {@link
  /// io.holdfast.core.RegionFullException}, also if the action has caught it.
  ///
  /// *Waiting.* A section that depends on what an unfinished section of another thread did is not
  /// durable before that is. Then the end of the outermost block waits for it; the end of a lock's
  /// section never does. An interrupt does not end the wait. A wait that would close a circle,
  /// because the other thread waits for a lock that this thread holds, is found and given up after
  /// some milliseconds. Whether a thread waits for this one by other means (a latch, a queue, a
  /// reply over the network) can't be seen: the wait is given up when the other thread has done
  /// nothing but wait for ten seconds. A thread that works is waited for as long as it does. After
  /// an exception of the action there is no wait.
  ///
  /// @throws io.holdfast.core.StoreClosedException if the store was closed before the section was
  ///   durable: it is undone by the next opening
  /// @throws io.holdfast.core.NotYetDurableException if the wait was given up; the section has
  ///   ended and is kept, see {@link #sync}, {@link #onDurable} and {@link #relaxed(Runnable)}
  public void atomically(Runnable action) {
    atomically(Transaction.result(Objects.requireNonNull(action, "action")));
  }

  /// Runs an action that returns something; see {@link #atomically(Runnable)}.
  public <T> T atomically(Supplier<T> action) {
    return blocks.atomically(Objects.requireNonNull(action, "action"));
  }

  /// As {@link #atomically(Runnable)}, but returns at once, although it may depend on a section
  /// that has not ended. {@link #sync} waits for all that the thread did before; {@link #onDurable}
  /// has something done when it is durable.
  public void relaxed(Runnable action) {
    relaxed(Transaction.result(Objects.requireNonNull(action, "action")));
  }

  /// Runs an action that returns something; see {@link #relaxed(Runnable)}.
  public <T> T relaxed(Supplier<T> action) {
    return blocks.relaxed(Objects.requireNonNull(action, "action"));
  }

  /// As {@link #atomically(Runnable)}, but undone if the action throws: of what the section did in
  /// this store nothing is there, and the action's exception goes on. What the action did
  /// elsewhere, in other stores or in memory, stays.
  ///
  /// Others may have seen something of it before, because the section gave up a lock, changed very
  /// much, or changed a sorted map whose order is the program's code, a comparator or a
  /// `compareTo`, near a key that others have looked for since. Then it is not undone, and this
  /// says so by an exception of its own. {@link #transaction} has no such case.
  ///
  /// In a transaction the action is part of that, whose exceptions undo it. Inside of any other
  /// section it is refused, because a part of a section can't be undone by itself.
  ///
  /// @throws io.holdfast.core.NotUndoneException if the action threw and others had seen what it
  ///   did: all of it stays. The cause is the action's exception
  /// @throws IllegalStateException inside of a section; the action did not run
  public void allOrNothing(Runnable action) {
    allOrNothing(Transaction.result(Objects.requireNonNull(action, "action")));
  }

  /// Runs an action that returns something; see {@link #allOrNothing(Runnable)}.
  public <T> T allOrNothing(Supplier<T> action) {
    return blocks.allOrNothing(Objects.requireNonNull(action, "action"));
  }

  /// Runs a body as a transaction: isolated from all others, and with all that it did in the
  /// store's collections, or nothing, after an exception as after a crash. Durable when this
  /// returns.
  ///
  /// - *Isolated*: as if transactions and single operations on collections ran one after the other.
  ///   The body never sees a mixture of two moments. Not isolated from code that keeps two
  ///   collections in step by locks of its own: use transactions there too.
  /// - *Run again*: if something that the body has read changes before its end, it is run again; so
  ///   what it does to anything but the store's collections must be harmless when it is repeated,
  ///   or belongs into {@link #onDurable}. After eight runs in vain others wait for it: a body must
  ///   not wait for other threads, by a lock or a future of the program's, say, but by {@link
  ///   Transaction#retry}.
  /// - *Exceptions* of the body leave nothing behind, and go on.
  /// - *Conflicts* are about keys, ranges of keys and the ends of queues: transactions on different
  ///   keys of a map don't hinder each other. Those that poll the same queue take different
  ///   elements; one that fails gives its element back to its place.
  /// - *Nested*: a transaction in a transaction is part of it. If the outer body catches what the
  ///   inner one throws, what that has changed stays. Inside of a section (a lock, `atomically`) it
  ///   is isolated and rolled back by itself, and its end makes it part of the section. A
  ///   collection's function (`compute`) can't run one.
  ///
  /// A collection that the body opens and that is not there yet is created at once, and stays.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  /// @throws io.holdfast.core.NotYetDurableException if it depends on a section that waits for this
  ///   thread
  public <T> T transaction(Supplier<T> body) {
    return transaction(Transaction.Options.defaults(), body);
  }

  /// Runs a body that returns nothing; see {@link #transaction(Supplier)}.
  public void transaction(Runnable body) {
    transaction(Transaction.Options.defaults(), body);
  }

  /// Runs a body that returns nothing; see {@link #transaction(Transaction.Options, Supplier)}.
  public void transaction(Transaction.Options options, Runnable body) {
    transaction(options, Transaction.result(Objects.requireNonNull(body, "body")));
  }

  /// Runs a body as a transaction of some kind; see {@link #transaction(Supplier)}.
  ///
  /// @throws io.holdfast.core.TransactionTimeoutException if it takes longer than the options allow
  public <T> T transaction(Transaction.Options options, Supplier<T> body) {
    return blocks.transaction(options, Objects.requireNonNull(body, "body"));
  }

  /// Registers a function whose calls happen exactly once, whatever is killed, and makes the calls
  /// that an earlier process left unfinished, before this returns; see {@link Resumable}.
  ///
  /// @param argument the class of its arguments; see {@link Codec#of(Class)}
  /// @param result the class of its results
  /// @throws IllegalArgumentException if the name belongs to something else, or to arguments or
  ///   results of another form
  /// @throws IllegalStateException if it is registered already, inside of a section, or if there
  ///   are unfinished calls of another version
  public <A, R> Resumable<A, R> resumable(
      String name, Class<A> argument, Class<R> result, Function<? super A, ? extends R> function) {
    return resumable(name, argument, result, Resumable.Options.defaults(), function);
  }

  /// Registers a function with options; see {@link #resumable(String, Class, Class, Function)}.
  public <A, R> Resumable<A, R> resumable(
      String name,
      Class<A> argument,
      Class<R> result,
      Resumable.Options<A> options,
      Function<? super A, ? extends R> function) {
    return resumables.register(name, argument, result, options, function);
  }

  /// Registers a function that returns nothing; see {@link #resumable(String, Class, Class,
  /// Function)}.
  public <A> Resumable<A, Void> resumable(
      String name, Class<A> argument, Consumer<? super A> function) {
    return resumable(name, argument, Resumable.Options.defaults(), function);
  }

  /// Registers a function that returns nothing, with options; see {@link #resumable(String, Class,
  /// Class, Function)}.
  public <A> Resumable<A, Void> resumable(
      String name, Class<A> argument, Resumable.Options<A> options, Consumer<? super A> function) {
    Objects.requireNonNull(function, "function");
    return resumables.register(
        name,
        argument,
        Resumables.Nothing.class,
        options,
        given -> {
          function.accept(given);
          return null;
        });
  }

  /// The calls of all resumables that were accepted and are not finished, registered or not: by
  /// name, then in the order in which they were accepted. Reads all of them.
  ///
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public List<Unfinished> unfinished() {
    region.sections().checkUsable();
    return resumables.unfinished();
  }

  /// How many these are.
  long unfinishedCalls() {
    return resumables.count();
  }

  /// Runs long work that goes on where it was: a body that tells, now and then, a state to go on
  /// from. What an earlier call of this name has done is not done again, whatever killed it; see
  /// {@link Job}.
  ///
  /// The body runs in the calling thread. A job that is finished stays so: a further call returns
  /// its last state at once. {@link #delete} makes its name a new one.
  ///
  /// @param state the class of its states; see {@link Codec#of(Class)}
  /// @param start the state that it begins with
  /// @param body what does the work: from a state on, to the end
  /// @return the last state that the body has told; `start` if it has told none
  /// @throws RuntimeException what the body throws; what it did since the last cut is undone
  /// @throws IllegalArgumentException if the name belongs to something else, or to states of
  ///   another form
  /// @throws IllegalStateException inside of a section, or if a job of this name is running
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the job is as of its
  ///   last cut
  public <S> S job(
      String name, Class<S> state, S start, BiConsumer<? super S, ? super Job<S>> body) {
    return job(name, state, start, Job.Options.defaults(), body);
  }

  /// Runs long work with options; see {@link #job(String, Class, Object, BiConsumer)}.
  public <S> S job(
      String name,
      Class<S> state,
      S start,
      Job.Options options,
      BiConsumer<? super S, ? super Job<S>> body) {
    return jobs.run(name, state, start, options, body);
  }

  /// How far the jobs of this store have come, running or not, finished or not; the oldest first.
  ///
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public List<Job.Progress> jobs() {
    region.sections().checkUsable();
    return jobs.progress();
  }

  void awaitDurable(String call) {
    region.sections().awaitDurable(call);
  }

  /// How often transactions of this store were committed, and their bodies run again.
  public TransactionCounts transactions() {
    return transactions.counts();
  }

  /// Waits until everything that this thread did before is durable. As a rule it is already; only
  /// what depends on a section that has not ended is not: after a lock's section, {@link
  /// #relaxed(Runnable)}, or a {@link io.holdfast.core.NotYetDurableException}.
  ///
  /// It waits for as long as it takes. An interrupt does not end the wait.
  ///
  /// @throws IllegalStateException inside of a section
  /// @throws io.holdfast.core.NotYetDurableException if that section's thread waits for a lock that
  ///   this thread holds
  public void sync() {
    region.sections().sync();
  }

  /// Tells when everything that this thread did before is safe, which is when {@link #sync} would
  /// return. Waits for nothing.
  ///
  /// @throws IllegalStateException inside of a section
  /// @throws io.holdfast.core.StoreClosedException if the store is closed
  public Receipt receipt() {
    return new Receipt(region.sections().receipt());
  }

  /// Has an action run when the section that the calling thread is in has become durable; outside
  /// of sections, when all that the thread did before is durable. For what others will see and
  /// cannot be taken back: an answer to a client, a line in a log (Atlas 3.5, deferred output).
  /// Unlike the end of {@link #atomically(Runnable)} and {@link #sync} it keeps nobody waiting.
  ///
  /// The actions of a store run one after the other in a thread of their own; those of a section
  /// that happened before another one run before the other's. Exceptions are logged.
  ///
  /// An action never runs for a section that is undone. A crash may come between a section's
  /// becoming durable and its action: then it does not run, now or later. So it runs at most once,
  /// and what must happen at least once belongs into the store. Closing the store waits for the
  /// actions of sections that are durable; an action must not wait for the store to be closed.
  public void onDurable(Runnable action) {
    blocks.onDurable(Objects.requireNonNull(action, "action"));
  }

  /// Gives the device back the free space at the end of the file, and what was prepared after it
  /// for growing. Closing does so too if that is more than an eighth of the file. Space between
  /// blocks that are in use stays; it is used again.
  ///
  /// Others work on meanwhile; only those who need space wait. What happens next costs more: each
  /// page of the file that is accessed is looked up once more, and the next growth is not prepared.
  ///
  /// A crash in the middle loses nothing. Where the store is open for `POWER_FAILURE` on a disk,
  /// the file gets shorter when it is closed.
  ///
  /// @return by how many bytes the store is shorter
  /// @throws io.holdfast.core.RegionAccessException if the system refuses; the store goes on as it
  ///   was, and this can be called again
  public long trim() {
    return region.trim();
  }

  /// Makes a copy of the store while it is in use, as fast as the device goes; see {@link
  /// #backup(Path, long)}.
  public BackupReport backup(Path to) {
    return backup(to, Long.MAX_VALUE);
  }

  /// Makes a copy of the store while it is in use. The copy is the store as it was at one moment
  /// shortly before this returns: what a crash would have left then, recovered. Sections that were
  /// open at that moment are not in it, all that was durable is, and it was closed properly. It is
  /// a store like any other, and durable on its device.
  ///
  /// Others work on meanwhile. Their stores take some tens of nanoseconds more, and wait once, for
  /// a few milliseconds, or for longer if they change the store about as fast as it can be copied;
  /// on a disk that is open for `POWER_FAILURE` nobody waits. Readers never do. The file grows as
  /// it needs to, but {@link #trim} gives nothing back until the copy is there.
  ///
  /// The copy has the store's permissions, owner and group, as far as the system allows, from its
  /// first byte on. A copy that fails leaves nothing. One that a crash cuts off leaves `NAME.part`
  /// and `NAME.part.lock`, which the next backup of that name deletes.
  ///
  /// An interrupt does not end it; the thread stays interrupted. To end it, close the store.
  ///
  /// @param to the file to make, which must not exist
  /// @param bytesPerSecond no faster than that, so that others find the device free; at least 1
  /// @throws IllegalArgumentException if it is to be slower than that
  /// @throws IllegalStateException if another copy is being made
  /// @throws io.holdfast.core.StoreClosedException if the store is closed meanwhile
  /// @throws io.holdfast.core.RegionLockedException if a file of this name is being made already
  /// @throws io.holdfast.core.RegionAccessException if the file exists, or the system refuses
  public BackupReport backup(Path to, long bytesPerSecond) {
    Objects.requireNonNull(to, "to");
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "too slow: bytesPerSecond=%d, min=1".formatted(bytesPerSecond));
    }
    return region.sections().guarded(() -> new Backup(region, to).make(bytesPerSecond));
  }

  /// Closes the store; its collections throw {@link io.holdfast.core.StoreClosedException} from
  /// then on, also in threads that were waiting. Waits for the actions of sections that are durable
  /// ({@link #onDurable}). A section that another thread is in the middle of is cut off, as by a
  /// crash. Idempotent. If an error cuts it off, the file is let go of as a crash would leave it,
  /// and a further call does the rest.
  @Override
  public void close() {
    try {
      region.sections().finishActions(); // which may open collections, or close the store
    } finally {
      closeNow();
    }
  }

  private synchronized void closeNow() {
    // **CLOSE-3** A close that was cut off has let go of the lock, so the file may be another
    // store's.
    // A further call ends what is left in this process, and does not mark the file as closed.
    // Test: FailuresTest.aCloseThatWasCutOffIsRepeated.
    boolean isFirst = !closing;
    closing = true;
    try {
      if (bean != null) {
        bean.close();
      }
      synchronized (collections) { // nobody is in the middle of opening one
        deletedRoots.stop();
        if (isFirst) {
          region.close();
        } else {
          region.abandon();
        }
      }
    } finally {
      try {
        collections.closed();
      } finally {
        release.run();
      }
    }
  }

  @Override
  public String toString() {
    return "Holdfast[" + path + "]";
  }
}
