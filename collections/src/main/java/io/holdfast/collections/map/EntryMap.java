package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.index.SegmentIndex;
import io.holdfast.collections.map.index.StripeBlocks;
import io.holdfast.collections.map.index.StripeSeqlock;
import io.holdfast.collections.map.repair.MapDisposal;
import io.holdfast.collections.map.slot.Deletion;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.word.WordIndex;
import io.holdfast.collections.map.write.BatchedStripe;
import io.holdfast.collections.map.write.Batches;
import io.holdfast.collections.map.write.Batches.Put;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeGarbage;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.collections.overlay.Part;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.BootId;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/// A map of encoded keys to encoded values, on media: the single-trip persistent set of the CSO
/// paper (section 4), made concurrent. What the parts promise: `MapLayout`.
///
/// Each operation is durable when it returns, with one flush and one fence, unless it is in a
/// section that has not ended or depends on one; then it stands and falls with that.
///
/// Where this departs from the paper: it is concurrent, by stripes, and its readers take no lock;
/// it grows; its index is in the file and outlives the process; its operations take part in
/// sections; where only the process may die, values are replaced in place; and slots are made
/// invalid when they are freed, so that there are no remove entries and no order in which slots
/// must be reused; and entries of two words need no slots at all (`WordLayout`). Why:
/// docs/design.md, "The map".
///
/// Thread-safe.
public final class EntryMap implements KeyedStore {
  /// What {@link #word} says of a key that is not there. Hardly anybody stores this word, or the
  /// next one; a map that has them anyway looks for longer.
  public static final long NONE = 0x9C6E_3D0B_57A1_F284L;

  public static final long UNKNOWN = NONE + 1;

  private final Sections sections;
  private final Memory memory;
  private final KeyedHash hash;
  private final Stripes stripes;
  private final StripeGarbage garbage;
  private final Batches batches;

  /// Whether entries are in the index (`WordLayout`), so that there are no batches.
  private final boolean isOfWords;

  private final Deletion deletion;
  private final Claims claims;
  private final long lockOrder = CollectionOverlay.nextLockOrder();

  /// Opens the map that a root block begins.
  ///
  /// @throws RegionDamagedException if what is read contradicts itself
  public EntryMap(Region region, long root) {
    this(region, root, BootId.current(), true);
  }

  /// @param boot which run of the operating system this is, 0 if unknown
  /// @param inParallel whether several threads may rebuild
  EntryMap(Region region, long root, long boot, boolean inParallel) {
    this.sections = region.sections();
    this.memory = region.memory();
    MapRoot.check(region, root);
    int shape = MapRoot.shape(memory, root);
    this.isOfWords = MapRoot.isOfWords(memory, root);
    this.hash =
        new KeyedHash(
            memory.readPlain(root + MapLayout.ROOT_SECRET),
            memory.readPlain(root + MapLayout.ROOT_SECRET + Long.BYTES));
    Slots slots = new Slots(memory.unordered(), root);
    this.batches = new Batches(sections, memory.unordered(), slots, root, 1 << shape);
    MapParts parts = MapParts.of(region, hash, batches, slots);
    this.deletion = parts.deletion();
    this.claims = parts.claims();
    WordIndex words = isOfWords ? new WordIndex(memory, region.heap(), hash) : null;
    this.stripes = new Stripes(parts, root, words, 1 << shape);
    this.garbage = new StripeGarbage(parts, root + MapLayout.ROOT_GARBAGE);
    new MapOpening(parts, root, boot, stripes).run(inParallel);
    freeGarbage();
  }

  /// Opens the map that a root block begins to prove it sound, its index as it is on media. Where
  /// that was never flushed, it is made anew, as an opening does.
  ///
  /// @throws RegionDamagedException if what is read contradicts itself
  public static EntryMap asLeft(Region region, long root) {
    MapRoot.check(region, root);
    boolean flushedOnly = region.memory().readPlain(root + MapLayout.ROOT_MODE) != 0;
    return new EntryMap(region, root, flushedOnly ? BootId.current() : 0, true);
  }

  /// Opens the map that a root block begins, in a memory that is no file: the crash explorer's,
  /// whose losses of power leave the system running.
  public static EntryMap inMemory(Region region, long root) {
    return new EntryMap(region, root, 0, false);
  }

  /// A section of the caller's would hold all of it: then the next clearing or opening does it.
  private void freeGarbage() {
    if (!SectionHooks.inSection()) {
      garbage.free();
    }
  }

  /// The value of a key, or `null`. Takes no lock as a rule.
  @Override
  public Encoded get(Encoded key) {
    return get(hash.hash(key), key);
  }

  private Encoded get(long itsHash, Encoded key) {
    sections.checkUsable();
    StripeReader reader = stripes.reader(stripes.number(itsHash));
    boolean isWord = key.length() == Long.BYTES;
    Encoded found = isWord ? reader.get(itsHash, key.word()) : reader.get(itsHash, key);
    return StripeReader.needsLock(found) ? stripes.of(itsHash).getLocked(itsHash, key) : found;
  }

  /// The value of a key of one word, if that is a word too: no object is made for it.
  ///
  /// @return {@link #NONE} if there is none; {@link #UNKNOWN} if {@link #get} must be asked
  public long word(long key) {
    long itsHash = hash.hash(key);
    sections.checkUsable();
    return stripes.reader(stripes.number(itsHash)).word(itsHash, key);
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  /// @throws IllegalArgumentException if it is too long; nothing has changed
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public Encoded put(Encoded key, Encoded value) {
    check(key, value);
    long itsHash = hash.hash(key);
    return stripes.of(itsHash).put(itsHash, key, value);
  }

  /// Stores an entry of two words, if the map is one of them: no object is made for either.
  ///
  /// @param put is told the value before
  /// @return `false` if {@link #put(Encoded, Encoded)} must be asked
  public boolean put(WordPut put, long key, long value) {
    if (!isOfWords) {
      return false;
    }
    put.key = key;
    put.value = value;
    put.hash = hash.hash(key);
    stripes.of(put.hash).put(put);
    return true;
  }

  /// Removes an entry.
  ///
  /// @return its value, or `null`
  public Encoded remove(Encoded key) {
    long itsHash = hash.hash(key);
    return stripes.of(itsHash).remove(itsHash, key);
  }

  /// Replaces a value by what a function makes of it, atomically; `null` stands for no entry, and
  /// the very object that the function was given for no change. The function is called once, in the
  /// section of the change, and must not use the map but for {@link #get} and {@link #size}.
  ///
  /// @return the value that is there now, or `null`
  public Encoded compute(Encoded key, UnaryOperator<Encoded> function) {
    long itsHash = hash.hash(key);
    return stripes
        .of(itsHash)
        .compute(
            itsHash,
            key,
            before -> {
              Encoded after = function.apply(before);
              if (after != null) {
                check(key, after);
              }
              return after;
            });
  }

  /// Stores some entries: all of them or none. Up to 255 take one round trip, as one entry does, if
  /// they go in slots, none is longer than one, and the thread is in no section; else it is a
  /// section. Where the map must grow for them, it does before, in sections of its own.
  ///
  /// @throws IllegalArgumentException if one is too long; nothing has changed
  /// @throws io.holdfast.core.RegionFullException if the device has no room; those before it may be
  ///   there
  public void putAll(Collection<EncodedEntry> entries) {
    Map<Encoded, Encoded> last = new LinkedHashMap<>();
    for (EncodedEntry entry : entries) {
      check(entry.key(), entry.value());
      last.put(entry.key(), entry.value());
    }
    sections.checkUsable();
    boolean isBatch = last.size() > 1 && last.size() <= MapLayout.BATCH_MAX && putBatch(last);
    if (!isBatch) {
      putInSection(last);
    }
    sections.changed();
    sections.checkCommitted();
  }

  private void putInSection(Map<Encoded, Encoded> entries) {
    List<Stripe> held = holdThose(numbers(entries.keySet()));
    try {
      ThreadSections.current()
          .inBlock(
              () -> {
                entries.forEach(this::put);
                return null;
              });
    } finally {
      try {
        for (int i = 0; i < held.size(); i++) {
          held.get(i).giveUp(); // LEVEL-1. Test: AcknowledgedCrashTest.putsTogether
        }
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        sections.breakOff(e); // where the very call fails, locks are kept (LOCK-4); told by putAll
      }
    }
  }

  private boolean putBatch(Map<Encoded, Encoded> entries) {
    if (isOfWords || SectionHooks.inSection()) {
      return false;
    }
    List<Put> puts = new ArrayList<>();
    TreeSet<BatchedStripe> involved = new TreeSet<>();
    entries.forEach(
        (key, value) -> {
          long itsHash = hash.hash(key);
          Stripe stripe = stripes.of(itsHash);
          involved.add(stripe);
          puts.add(new Put(stripe, itsHash, key, value));
        });
    Put misfit = batches.put(puts, involved);
    while (misfit != null && misfit.stripe.makeRoom(misfit)) {
      misfit = batches.put(puts, involved);
    }
    return misfit == null;
  }

  @Override
  public void check(Encoded key, Encoded value) {
    long length = (long) key.length() + value.length();
    if (length > MapLayout.ENTRY_MAX) {
      throw new IllegalArgumentException(
          "%s: a map's entry is too long: key=%d bytes, value=%d bytes, max=%d together"
              .formatted(memory.name(), key.length(), value.length(), MapLayout.ENTRY_MAX));
    }
  }

  /// Removes all entries, in a section: all or none. In time proportional to the number of stripes;
  /// then frees the blocks, some at a time.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room for the log; nothing
  ///   has changed
  public void clear() {
    asWhole(
        section -> {
          section.reserve(4 * stripes.count());
          claims.coverAll(section);
          for (int i = 0; i < stripes.count(); i++) {
            stripes.get(i).clear(section, garbage);
          }
        });
    freeGarbage();
  }

  /// Runs something while nobody else is in the map, in a section, after whose end the stripes are
  /// given up (LEVEL-1).
  private void asWhole(Consumer<Section> action) {
    int[] held = new int[1]; // how many of the stripes: no call comes after a lock (GIVE-1)
    garbage.adding(
        section -> {
          for (; held[0] < stripes.count(); held[0]++) {
            stripes.get(held[0]).hold();
          }
          action.accept(section);
        },
        () -> {
          for (int i = 0; i < held[0]; i++) {
            stripes.get(i).giveUp();
          }
        });
    sections.changed();
  }

  /// Deletes the map's root while nobody is in the map. From then on every call is refused.
  ///
  /// @param deletion in a section of its own, or the calling thread's
  /// @return what it returns
  public boolean delete(BooleanSupplier deletion) {
    boolean[] isGone = new boolean[1];
    asWhole(
        section -> {
          claims.coverAll(section); // CLAIM-3
          isGone[0] = deletion.getAsBoolean();
          if (isGone[0]) {
            deleted(true); // MAP-8
          }
        });
    return isGone[0];
  }

  /// Says that the map is gone, or there again: for {@link #delete}, or if a section that created
  /// or deleted it was rolled back. Takes no lock.
  public void deleted(boolean isDeleted) {
    deletion.set(isDeleted);
    for (int i = 0; i < stripes.count(); i++) {
      Stripe stripe = stripes.ifMade(i);
      if (stripe != null && isDeleted) {
        stripe.holdReaders();
      } else if (stripe != null) {
        stripe.letReadersIn();
      }
    }
  }

  /// Frees some blocks of a map that nobody can find any more, in the calling thread's section.
  /// What a crash interrupts can be gone on with.
  ///
  /// @param most how many changes may be logged, at least 8
  /// @return whether these were the last
  public static boolean freeSome(Region region, long root, int most) {
    return new MapDisposal(region, root).freeSome(most);
  }

  /// How many entries there are; while others change the map, about so many.
  public long size() {
    checkThere();
    long size = 0;
    for (int i = 0; i < stripes.count(); i++) {
      Stripe stripe = stripes.ifMade(i);
      size += stripe == null ? 0 : stripe.count();
    }
    return size;
  }

  /// For calls that may find no stripe, which would say so. Test:
  /// HashMapRootsTest.madeInASectionThatIsTakenBack.
  private void checkThere() {
    sections.checkUsable();
    deletion.check();
  }

  /// How many operations have changed the map, from any beginning; while others change it, about so
  /// many.
  public long changes() {
    return stripes.made().stream().mapToLong(Stripe::changes).sum();
  }

  /// Where a walk is: before the first entry, after the last, or between two segments of the index.
  ///
  /// @param stripe which one
  /// @param hash the first top bits that were not walked
  public record Place(int stripe, long hash) {
    /// Before the first entry.
    public static final Place START = new Place(0, 0);
  }

  /// Into how many parts {@link Place#stripe} divides the map.
  public int stripes() {
    return stripes.count();
  }

  /// A number of a stripe, for {@link #isStill}.
  public long numberNow(int stripe) {
    Stripe made = stripes.ifMade(stripe);
    return made == null ? StripeSeqlock.HELD : made.state().seqlock.before();
  }

  /// Whether nobody has changed a stripe since it had a number. Takes no lock.
  @Override
  public boolean isStill(int stripe, long number) {
    return !StripeSeqlock.isHeld(number) && stripes.reader(stripe).seqlock.isStill(number);
  }

  @Override
  public boolean areStill(int[] parts, long[] numbers, int count) {
    for (int i = 0; i < count; i++) {
      if (!isStill(parts[i], numbers[i])) {
        return false;
      }
    }
    return true;
  }

  // For what is held back

  @Override
  public long lockOrder() {
    return lockOrder;
  }

  @Override
  public Comparator<Encoded> keyOrder() {
    return null;
  }

  @Override
  public Claims claims() {
    return claims;
  }

  @Override
  public void store(Encoded key, Encoded value) {
    long itsHash = hash.hash(key);
    stripes.of(itsHash).store(itsHash, key, value, false);
  }

  @Override
  public void storeAlone(Encoded key, Encoded value) {
    long itsHash = hash.hash(key);
    stripes.of(itsHash).store(itsHash, key, value, true);
  }

  @Override
  public Part hold(Encoded key) {
    return stripes.of(hash.hash(key)).hold();
  }

  /// Calls nothing once the locks are held, here and in {@link #holdAll}: who can't has them.
  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // nobody adds to it any more
  public List<Part> hold(Collection<Encoded> keys) {
    return (List) holdThose(numbers(keys));
  }

  /// Of the stripes of keys, in their order.
  private int[] numbers(Collection<Encoded> keys) {
    int[] numbers = new int[keys.size()];
    int count = 0;
    for (Encoded key : keys) {
      numbers[count++] = stripes.number(hash.hash(key));
    }
    Arrays.sort(numbers);
    return numbers;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // as above
  public List<Part> holdAll() {
    int[] all = new int[stripes.count()];
    Arrays.setAll(all, i -> i);
    return (List) holdThose(all);
  }

  /// @param numbers in their order, some of them several times
  private List<Stripe> holdThose(int[] numbers) {
    List<Stripe> held = new ArrayList<>(Math.min(numbers.length, stripes.count()));
    int last = -1;
    int count = 0; // of those that are held: each is in the list before (GIVE-1)
    try {
      for (int number : numbers) {
        if (number != last) {
          held.add(stripes.get(number));
          held.getLast().hold();
          count++;
          last = number;
        }
      }
    } catch (RuntimeException | Error e) {
      for (int i = 0; i < count; i++) {
        held.get(i).unlock();
      }
      throw e;
    }
    return held;
  }

  @Override
  public int parts() {
    return stripes.count();
  }

  @Override
  public long number(int part) {
    long number = numberNow(part);
    while (StripeSeqlock.isHeld(number) && !stripes.get(part).isHeldByThread()) {
      stripes.get(part).hold().unlock();
      number = numberNow(part);
    }
    return number;
  }

  @Override
  public Encoded look(Encoded key, Look look) {
    long itsHash = hash.hash(key);
    look.part = stripes.number(itsHash);
    sections.checkUsable();
    Encoded found = stripes.reader(look.part).look(itsHash, key, look);
    return StripeReader.needsLock(found) ? lookAgain(itsHash, key, look) : found;
  }

  private Encoded lookAgain(long itsHash, Encoded key, Look look) {
    Encoded found;
    do {
      look.number = number(look.part);
      found = get(itsHash, key);
    } while (!isStill(look.part, look.number));
    return found;
  }

  /// Some entries from a place on: those of a segment of the index, as they are at one moment. A
  /// walk from segment to segment is weakly consistent: it finds each key that is there from its
  /// beginning to its end, once.
  ///
  /// @param into where they go
  /// @return where the next ones are, or `null` at the end
  public Place walk(Place from, List<EncodedEntry> into) {
    return walk(from, into, Long.MAX_VALUE);
  }

  /// The same, where values may be long: they are looked up when they are needed.
  ///
  /// @param bytesMax after so many bytes of values the others are `null`
  public Place walk(Place from, List<EncodedEntry> into, long bytesMax) {
    checkThere();
    Stripe stripe = stripes.ifMade(from.stripe());
    long next = stripe == null ? 0 : stripe.walk(from.hash(), into, bytesMax);
    if (next != 0) {
      return new Place(from.stripe(), next);
    }
    return from.stripe() + 1 == stripes.count() ? null : new Place(from.stripe() + 1, 0);
  }

  /// Checks all that the layout promises, reading the whole map; takes memory in proportion to it.
  ///
  /// @return how many entries there are
  /// @throws RegionDamagedException naming the first fault and its offset
  public long validate() {
    return stripes.made().stream().mapToLong(Stripe::validate).sum();
  }

  /// Has an inspector look at all of the map but its root block; for tools, while nobody changes
  /// it.
  ///
  /// @param trail the way to the map
  /// @return how many entries there are, as soon as all parts have run
  public LongAdder inspect(Inspector inspector, Trail trail) {
    LongAdder entries = new LongAdder();
    for (int i = 0; i < stripes.count(); i++) {
      Stripe stripe = stripes.ifMade(i);
      if (stripe != null) {
        String name = "stripe " + i;
        inspector.run(() -> entries.add(stripe.inspect(inspector, trail, name)));
      }
    }
    return entries;
  }

  /// Calls a visitor with the offset of each block but the root's; for tests and tools.
  public void forEachBlock(LongConsumer visitor) {
    for (Stripe stripe : stripes.made()) {
      stripe.forEachBlock(visitor);
    }
  }

  void forEachSegment(SegmentIndex.SegmentVisitor visitor) {
    for (Stripe stripe : stripes.made()) {
      stripe.forEachSegment(visitor);
    }
  }

  void forEachSlot(StripeBlocks.SlotVisitor visitor) {
    for (Stripe stripe : stripes.made()) {
      stripe.forEachSlot(visitor);
    }
  }

  void forEachStripe(LongConsumer visitor) {
    for (Stripe stripe : stripes.made()) {
      stripe.visit(visitor);
    }
  }
}
