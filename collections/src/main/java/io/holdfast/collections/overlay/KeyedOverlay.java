package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.commit.SectionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// What a section holds back of a map: a layer for each key that it has changed.
///
/// A change runs at once, under the lock of its key's part, on what it builds on (CLAIM-1); only
/// the store waits.
///
/// Confined to its thread, but for the layers.
final class KeyedOverlay extends KeyedView implements VolatileState {
  /// What a layer takes beside key and value, roughly.
  private static final int LAYER_BYTES = 160;

  private final KeyedStore store;
  private final Layers layers;

  /// Those that were rolled back, and are still among the claims.
  private final List<Layer> voided = new ArrayList<>(0);

  private final HeldBytes bytes;

  KeyedOverlay(KeyedStore store, Sections sections, Heap heap) {
    super(sections);
    this.store = store;
    this.bytes = new HeldBytes(heap);
    this.layers = new Layers(store.keyOrder());
  }

  @Override
  Gap newGap(boolean isAscending) {
    return new Gap(store, isAscending, true);
  }

  @Override
  public Encoded get(Encoded key) {
    Layer mine = layers.of(key);
    return mine == null ? store.get(key) : mine.value;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same object is no change
  public Encoded change(Encoded key, UnaryOperator<Encoded> function) {
    Section section = sections.current();
    Encoded before;
    Part part = store.hold(key);
    try {
      Layer top = store.claims().buildOn(section, key, this);
      before = top == null ? store.get(key) : top.value;
      Encoded after = function.apply(before);
      if (after != before) {
        if (after != null) {
          store.check(key, after);
        }
        put(section, key, top, after);
      }
    } finally {
      try {
        part.unlock();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.breakOff(e); // where the very call fails, the lock is kept (LOCK-4); told below
      }
    }
    sections.checkCommitted();
    return before;
  }

  @SuppressWarnings("ReferenceEquality") // the very layer
  private void put(Section section, Encoded key, Layer top, Encoded value) {
    section.enlist(this);
    if (value != null) {
      puts(key);
    }
    Layer mine = layers.of(key);
    if (mine == null || mine != top) {
      SectionRecord record = section.claim();
      Layer made = new Layer(key, this, record, section.stamp());
      made.value = value;
      try {
        claim(mine, made);
      } catch (VirtualMachineError | LinkageError e) {
        section.breakOff(e); // the key could stay claimed
        throw e;
      }
      bytes.add(LAYER_BYTES + key.length());
    } else {
      mine.value = value;
    }
    bytes.add(value == null ? 0 : value.length());
  }

  /// @param replaced on which others have built, and this builds on them; `null` for none
  private void claim(Layer replaced, Layer made) {
    if (replaced == null) {
      layers.add(made);
    } else {
      store.claims().remove(replaced);
      layers.replace(replaced, made);
    }
    store.claims().push(made);
  }

  @Override
  public Set<Encoded> keys() {
    return layers.keys();
  }

  @Override
  public boolean hasChanged(Encoded key) {
    return layers.of(key) != null;
  }

  @Override
  public long size(LongSupplier inPlace) {
    long size = inPlace.getAsLong();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.at(i);
      size += (layer.value == null ? 0 : 1) - (store.get(layer.key) == null ? 0 : 1);
    }
    return size;
  }

  @Override
  public boolean storesOpenly() {
    storeOpenly();
    return true;
  }

  @Override
  public void reads(int part, long number, Predicate<KeyedStore.Look> again) {
    // a section takes things as they come
  }

  HeldBytes heldBytes() {
    return bytes;
  }

  @Override
  protected long lockOrder() {
    return store.lockOrder();
  }

  @Override
  protected void hold() {
    try {
      held = store.hold(layers.keys());
    } catch (RootDeletedException e) {
      clear(); // all is covered (CLAIM-3)
    }
  }

  @Override
  protected void store(boolean isAll) {
    if (isAll && layers.size() == 1 && sections.current().isAloneAtEnd()) {
      Layer layer = layers.at(0);
      if (!layer.isCovered) {
        store.storeAlone(layer.key, layer.value);
      }
      return;
    }
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.at(i);
      if (!layer.isCovered) {
        store.store(layer.key, layer.value);
      }
    }
  }

  @Override
  protected void stored() {
    for (int i = 0; i < layers.size(); i++) {
      store.claims().stored(layers.at(i));
    }
    clear();
  }

  private void clear() {
    dropGaps();
    layers.clear();
    bytes.clear();
  }

  @Override
  protected void letGo() {
    for (int i = 0; i < held.size(); i++) {
      held.get(i).letGo();
    }
    held = NONE;
  }

  @Override
  protected void giveBack() {
    for (int i = 0; i < voided.size(); i++) { // where nothing is, makes no object (GIVE-1)
      remove(voided.get(i));
    }
    voided.clear();
  }

  private void remove(Layer layer) {
    Part part;
    try {
      part = store.hold(layer.key);
    } catch (HoldfastException e) {
      return; // the map is gone with its claims: its creation was undone, too
    }
    try {
      store.claims().remove(layer);
    } finally {
      try {
        part.unlock();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        sections.breakOff(e); // LOCK-4
      }
    }
  }

  @Override
  protected void storeOpenly() {
    try {
      for (int i = 0; i < layers.size(); i++) {
        storeOpenly(layers.at(i));
      }
    } catch (RootDeletedException e) {
      // all is covered (CLAIM-3)
    }
    clear();
  }

  private void storeOpenly(Layer layer) {
    Part part = store.hold(layer.key);
    try {
      if (!layer.isCovered) {
        store.store(layer.key, layer.value);
      }
      store.claims().stored(layer);
    } finally {
      try {
        part.letGoOpenly();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        sections.breakOff(e); // LOCK-4
      }
    }
  }

  @Override
  protected void forget() {
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.at(i);
      layer.isVoid = true;
      voided.add(layer);
    }
    clear();
  }

  @Override
  public void save() {
    // it is empty
  }

  /// The section is rolled back. Takes no lock: who has it may wait for this.
  @Override
  public void restore() {
    forget();
  }

  @Override
  protected boolean isChanging() {
    return layers.size() > 0;
  }
}
