package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;

/// The keys of a map that open sections have claimed, each with the layers that they will give it,
/// the latest on top.
///
/// **CLAIM-1** Who changes a claimed key builds on the top layer, and depends on its section. So a
/// change that reads before it writes stays atomic for its key, sections of different keys share
/// nothing, and nobody waits for an open section. Test: KeyClaimsTest.claim1NoUpdateIsLost.
///
/// **CLAIM-2** When a value is stored in place, the layers below it are covered: it was made from
/// them. Their sections store them no more. Test: KeyClaimsTest.claim2WhatIsCoveredIsNotStored.
///
/// **CLAIM-3** Who removes everything, or deletes the map, builds on all layers. So a section that
/// finds its map deleted has nothing to store there. Test:
/// HeldBackFullDeviceTest.claim3AMapThatIsDeletedMeanwhile.
///
/// A key's layers are guarded by the lock of its part.
public final class Claims {
  private final ConcurrentMap<Encoded, Layer> tops;

  /// Whether there ever was one: each change asks, and a sorted map takes longer to answer.
  private volatile boolean wasUsed;

  /// @param order `null` if keys are the same when their bytes are
  public Claims(Comparator<Encoded> order) {
    this.tops = order == null ? new ConcurrentHashMap<>() : new ConcurrentSkipListMap<>(order);
  }

  public boolean isEmpty() {
    return !wasUsed || tops.isEmpty();
  }

  /// @return `null` if the key is not claimed
  Layer top(Encoded key) {
    Layer top = isEmpty() ? null : tops.get(key);
    while (top != null && top.isVoid) {
      remove(top);
      top = tops.get(key);
    }
    return top;
  }

  /// The top layer of a key, which a section depends on from now on, unless it is its own.
  ///
  /// @param mine the layers that are its own
  /// @return `null` if the key is not claimed
  Layer buildOn(Section section, Encoded key, KeyedOverlay mine) {
    Layer top = top(key);
    while (top != null && top.owner != mine) {
      section.buildOn(top.record, top.number, top.stamp);
      if (!top.isVoid) {
        return top;
      }
      top = top(key); // its section was rolled back meanwhile
    }
    return top;
  }

  /// Whether any section has claimed a key.
  public boolean isClaimed(Encoded key) {
    return top(key) != null;
  }

  /// Whether another section has claimed a key.
  ///
  /// @param mine `null` if the asking one has claimed none
  boolean isClaimed(Encoded key, KeyedOverlay mine) {
    Layer top = top(key);
    return top != null && top.owner != mine;
  }

  void push(Layer layer) {
    wasUsed = true;
    layer.below = tops.put(layer.key, layer);
  }

  /// Takes a layer out, whose section was undone or claims the key anew.
  void remove(Layer layer) {
    Layer top = tops.get(layer.key);
    if (top == layer) {
      if (layer.below == null) {
        tops.remove(layer.key);
      } else {
        tops.put(layer.key, layer.below);
      }
    } else {
      Layer above = above(top, layer);
      if (above != null) {
        above.below = layer.below;
      }
    }
    layer.below = null;
  }

  /// The layer was stored in place (CLAIM-2).
  void stored(Layer layer) {
    if (!tops.remove(layer.key, layer)) { // else it was the top
      Layer above = above(tops.get(layer.key), layer);
      if (above != null) {
        above.below = null;
      }
    }
    cover(layer.below, true);
    layer.below = null;
  }

  /// @return `null` if the layer is not there
  private static Layer above(Layer top, Layer layer) {
    Layer above = top;
    while (above != null && above.below != layer) {
      above = above.below;
    }
    return above;
  }

  private static void cover(Layer from, boolean isCovered) {
    for (Layer layer = from; layer != null; layer = layer.below) {
      layer.isCovered = isCovered;
    }
  }

  /// What a change in place builds on, which from then on depends on it.
  ///
  /// @return `null` if the key is not claimed; else to be given to {@link #cover}
  public Claim buildOn(Section section, Encoded key) {
    Layer top = buildOn(section, key, null);
    return top == null ? null : new Claim(top);
  }

  /// A claimed key, for a change in place.
  public static final class Claim {
    private final Layer top;

    private Claim(Layer top) {
      this.top = top;
    }

    /// The value that it has for who builds on it; `null` for none.
    public Encoded value() {
      return top.value;
    }
  }

  /// A change in place was made of what {@link #buildOn} has returned (CLAIM-2).
  public void cover(Section section, Claim claim) {
    Layer top = claim.top;
    section.enlist(
        new VolatileState() {
          @Override
          public void save() {
            tops.remove(top.key);
            cover(top, true);
          }

          @Override
          public void restore() {
            cover(top, false);
            tops.put(top.key, top);
          }
        });
  }

  /// All is being removed in place, by a section that holds all parts: it is built on all.
  public void coverAll(Section section) {
    buildOnAll(section, null, (_, claim) -> cover(section, claim));
  }

  /// Builds on the top layers of all keys, by a section that holds all parts.
  ///
  /// @param mine what the section itself holds back, which is left out; `null` for nothing
  void buildOnAll(Section section, KeyedOverlay mine, BiConsumer<Encoded, Claim> built) {
    for (Layer each : List.copyOf(tops.values())) {
      Layer top = buildOn(section, each.key, mine);
      if (top != null && top.owner != mine) {
        built.accept(each.key, new Claim(top));
      }
    }
  }
}
