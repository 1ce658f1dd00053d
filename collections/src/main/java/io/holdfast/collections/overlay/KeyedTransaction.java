package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.ThreadSections;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// What a transaction has read of a map, and would change.
///
/// Confined to its thread.
final class KeyedTransaction extends KeyedView {
  private final TransactionOverlay transaction;
  private final KeyedStore store;
  private final Overlaid map;

  private final KeyedReads reads;

  /// What is to be stored; `null` to remove the key.
  private Map<Encoded, Encoded> changes;

  /// What all open sections had claimed when all was locked, and is built on (T8); else empty.
  private Map<Encoded, Claims.Claim> claims = Map.of();

  /// Whether it has read more than single keys.
  private boolean readsParts;

  private boolean isLocked;

  /// How many entries there are in place, recorded once for a run; -1 if nobody has asked.
  private long sizeInPlace = -1;

  /// Takes the changes, inside of a section that goes on and has room for them.
  private KeyedView inSection;

  /// Whether changes were stored in place, inside of a section that goes on.
  private boolean isOpen;

  KeyedTransaction(TransactionOverlay transaction, KeyedStore store, Overlaid map) {
    super(map.sections());
    this.transaction = transaction;
    this.store = store;
    this.map = map;
    this.reads = new KeyedReads(store);
    this.changes = none();
  }

  @Override
  Gap newGap(boolean isAscending) {
    return new Gap(store, isAscending, false);
  }

  /// A sorted one's keys can be asked for their order.
  private <V> Map<Encoded, V> none() {
    return store.keyOrder() == null ? Map.of() : newMap();
  }

  private <V> Map<Encoded, V> newMap() {
    return store.keyOrder() == null ? new HashMap<>() : new TreeMap<>(store.keyOrder());
  }

  @Override
  public Object run() {
    return transaction.currentRun();
  }

  @Override
  public Encoded get(Encoded key) {
    transaction.beGoingOn();
    if (!changes.isEmpty()) {
      Encoded changed = changes.get(key);
      if (changed != null || changes.containsKey(key)) {
        return changed;
      }
    }
    return before(key);
  }

  /// The value before this transaction.
  private Encoded before(Encoded key) {
    int reading = reads.find(key);
    if (reading >= 0) {
      return reads.value(reading);
    }
    if (!claims.isEmpty() && claims.containsKey(key)) {
      return claims.get(key).value();
    }
    KeyedOverlay outer = (KeyedOverlay) transaction.outerOf(store);
    if (outer != null && outer.keys().contains(key)) {
      return outer.get(key);
    }
    if (isLocked) {
      return store.get(key);
    }
    Encoded value = reads.read(key);
    transaction.check();
    return value;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same object is no change
  public Encoded change(Encoded key, UnaryOperator<Encoded> function) {
    transaction.beWriting();
    Encoded before = get(key);
    Encoded after = function.apply(before);
    if (after != before) {
      if (after != null) {
        store.check(key, after);
        puts(key);
      }
      if (changes.isEmpty()) {
        changes = newMap();
      }
      changes.put(key, after);
    }
    return before;
  }

  /// With those of the section around it, and of sections that it builds on, which are not in place
  /// either.
  @Override
  public Set<Encoded> keys() {
    KeyedOverlay outer = (KeyedOverlay) transaction.outerOf(store);
    boolean hasOuter = outer != null && !outer.keys().isEmpty();
    if (!hasOuter && claims.isEmpty()) {
      return changes.keySet();
    }
    Set<Encoded> keys = newSet();
    if (hasOuter) {
      keys.addAll(outer.keys());
    }
    keys.addAll(claims.keySet());
    keys.addAll(changes.keySet());
    return keys;
  }

  @Override
  public boolean hasChanged(Encoded key) {
    KeyedOverlay outer = (KeyedOverlay) transaction.outerOf(store);
    return changes.containsKey(key)
        || claims.containsKey(key)
        || outer != null && outer.hasChanged(key);
  }

  private Set<Encoded> newSet() {
    return store.keyOrder() == null ? new HashSet<>() : new TreeSet<>(store.keyOrder());
  }

  @Override
  public long size(LongSupplier inPlace) {
    transaction.beGoingOn();
    if (sizeInPlace < 0) {
      sizeInPlace = readSize(inPlace);
    }
    transaction.check(); // it is still so (T2)
    long size = sizeInPlace;
    KeyedOverlay outer = (KeyedOverlay) transaction.outerOf(store);
    for (Encoded key : keys()) {
      boolean isOthers = claims.containsKey(key) || outer != null && outer.keys().contains(key);
      boolean isInPlace = isOthers ? isThere(key) : before(key) != null;
      size += (get(key) == null ? 0 : 1) - (isInPlace ? 1 : 0);
    }
    return size;
  }

  private long readSize(LongSupplier inPlace) {
    long[] numbers = new long[isLocked ? 0 : store.parts()];
    Arrays.setAll(numbers, store::number);
    long found = inPlace.getAsLong();
    for (int part = 0; part < numbers.length; part++) {
      int its = part;
      reads.add(
          part,
          numbers[part],
          again -> {
            again.part = its;
            again.number = store.number(its);
            return inPlace.getAsLong() == found;
          });
    }
    readsParts = true;
    return found;
  }

  /// Whether a key that the section around it, or one that it builds on, has changed is there in
  /// place.
  private boolean isThere(Encoded key) {
    if (isLocked) {
      return store.get(key) != null;
    }
    KeyedStore.Look look = new KeyedStore.Look();
    boolean isThere = store.look(key, look) != null;
    reads(look.part, look.number, again -> (store.look(key, again) != null) == isThere);
    return isThere;
  }

  @Override
  public boolean storesOpenly() {
    return false;
  }

  @Override
  public void reads(int part, long number, Predicate<KeyedStore.Look> again) {
    transaction.beGoingOn();
    readsParts = true;
    if (!isLocked) {
      reads.add(part, number, again);
      transaction.check();
    }
  }

  @Override
  protected long lockOrder() {
    return store.lockOrder();
  }

  @Override
  protected void holdAll() {
    isLocked = true;
    held = store.holdAll();
    if (transaction.buildsOnClaims()) {
      claims = newMap();
      store
          .claims()
          .buildOnAll(sections.current(), (KeyedOverlay) transaction.outerOf(store), claims::put);
    }
  }

  /// In a section that goes on, which may have to store openly for this.
  @Override
  protected void prepare() {
    if (transaction.isInner()) {
      KeyedOverlay outer = (KeyedOverlay) transaction.outerOf(store);
      boolean heldBack = outer != null && outer.isChanging();
      inSection = map.inSection(ThreadSections.current());
      isOpen = isLocked && heldBack && !outer.isChanging();
    }
  }

  @Override
  protected void hold() {
    if (isLocked) {
      return;
    }
    if (readsParts) {
      held = store.holdAll();
    } else {
      List<Encoded> keys = new ArrayList<>(reads.size() + changes.size());
      for (int i = 0; i < reads.size(); i++) {
        keys.add(reads.key(i));
      }
      for (Encoded key : changes.keySet()) {
        if (reads.find(key) < 0) {
          keys.add(key);
        }
      }
      held = store.hold(keys);
    }
  }

  @Override
  protected boolean isStill() {
    return reads.isStill();
  }

  @Override
  protected boolean isSame() {
    return reads.isSame();
  }

  /// Whether an open section has claimed what this would change, and it has not been built on.
  @Override
  protected boolean isClaimedByOthers() {
    for (Encoded key : changes.keySet()) {
      if (!claims.containsKey(key)
          && store.claims().isClaimed(key, (KeyedOverlay) transaction.outerOf(store))) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void store(boolean isAll) {
    boolean isOne = isAll && changes.size() == 1 && claims.isEmpty() && !transaction.isInner();
    for (Map.Entry<Encoded, Encoded> change : changes.entrySet()) {
      if (inSection != null) {
        inSection.change(change.getKey(), _ -> change.getValue());
      } else if (isOne && sections.current().isAloneAtEnd()) {
        store.storeAlone(change.getKey(), change.getValue());
      } else {
        storeInPlace(change.getKey(), change.getValue());
      }
    }
  }

  private void storeInPlace(Encoded key, Encoded value) {
    isOpen = transaction.isInner(); // before: a store that fails may have changed something
    store.store(key, value);
    Claims.Claim claim = claims.get(key);
    if (claim != null) {
      store.claims().cover(sections.current(), claim);
    }
  }

  @Override
  protected void stored() {
    // it has no claims
  }

  @Override
  protected void letGo() {
    boolean isEnded = !transaction.isInner();
    for (int i = 0; i < held.size(); i++) { // and no code that may have to be linked first
      Part part = held.get(i);
      if (isEnded) {
        part.letGo();
      } else if (isOpen) {
        part.letGoOpenly();
      } else {
        part.unlock();
      }
    }
    held = NONE;
    isLocked = false;
    inSection = null;
  }

  @Override
  protected void storeOpenly() {
    // a transaction lets nobody look
  }

  @Override
  protected boolean isChanging() {
    return !changes.isEmpty();
  }

  @Override
  protected void forget() {
    // nobody else knows of it
  }

  @Override
  protected void runAgain() {
    dropGaps();
    sizeInPlace = -1;
    changes = none();
    claims = Map.of();
    reads.clear();
    readsParts = false;
  }

  @Override
  protected Object mark() {
    Map<Encoded, Encoded> copy = newMap();
    copy.putAll(changes);
    return copy;
  }

  @Override
  @SuppressWarnings("unchecked") // what mark has returned
  protected void backTo(Object mark) {
    dropGaps();
    changes = mark == null ? none() : (Map<Encoded, Encoded>) mark;
  }
}
