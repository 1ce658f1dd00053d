package io.holdfast.collections.map.slot;

import static io.holdfast.collections.map.slot.MapLayout.DENSE_PLACE;
import static io.holdfast.collections.map.slot.MapLayout.FURTHER_LINE_PAYLOAD;
import static io.holdfast.collections.map.slot.MapLayout.META;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;

/// Entries in slots: how their bytes lie in lines, and how a line says that it is whole (MAP-1).
///
/// Thread-safe as memory is; a thread that stores holds the stripe's lock, one that reads without
/// it looks at the stripe's seqlock before and after (MAP-6).
public final class Slots {
  private static final int LAST_WORD = LINE_BYTES - WORD_BYTES;
  private static final long VALIDITY = 1L << 56;
  private static final long VALIDITY_BYTE = 0xffL << 56;

  private final Memory memory;
  private final SlotForm form;

  /// @param root the map's
  public Slots(Memory unordered, long root) {
    this.memory = unordered;
    this.form = MapRoot.slots(unordered, root);
  }

  /// A slot's PLACE.
  public long place(long slot) {
    return form.place(memory, slot);
  }

  /// Stores PLACE in a slot that goes into a free list and may never have had an entry.
  public void setFree(long slot, long place) {
    form.setFree(memory, slot, place);
  }

  /// Where a slot has its key.
  public long payloadAt(long slot) {
    return slot + form.payload;
  }

  /// Where a free slot has the one before it.
  public long previousAt(long slot) {
    return slot + form.previous;
  }

  /// Where a free slot has the next one, in a word of {@link #linked}.
  public long nextAt(long slot) {
    return form.nextAt(slot);
  }

  /// The next free slot, 0 if there is none.
  public long next(long slot) {
    return form.next(memory, slot);
  }

  /// What leads to the next free slot.
  public long linked(long slot, long next) {
    return form.linked(memory, slot, next);
  }

  /// Bytes of a stripe.
  public int stripeBytes() {
    return form.stripeBytes();
  }

  /// How many bytes a stripe has room for that an update overwrites.
  public int bytesKept() {
    return form.kept;
  }

  /// The class of an entry.
  ///
  /// @param payload bytes of key and value
  /// @return `LARGE_CLASS` if no slot holds it
  public int classHolding(long payload) {
    return SlotClass.holding(payload - form.room(payload));
  }

  /// Words for each slot in the list of a batch: itself, and what else {@link #listedNext} needs.
  public int listWords() {
    return form.listWords();
  }

  /// Stores a slot in the list of a batch.
  ///
  /// @param next as the stripe's NEXT
  public void list(long at, long slot, long next) {
    form.list(memory, at, slot, next);
  }

  /// The next free slot, of one that a batch has taken and not published.
  ///
  /// @param at where it is in the list of the batch
  public long listedNext(long at, long slot) {
    return form.listedNext(memory, at, slot);
  }

  /// Makes a slot free again whose entry is dropped, and invalid durably (MAP-14).
  ///
  /// @param next as the stripe's NEXT
  public void giveBack(long slot, long next) {
    form.giveBack(memory, slot, next);
  }

  /// Stores an entry in an invalid slot, with META of a polarity that the slot has not, and starts
  /// writing it back.
  ///
  /// @param place the slot's, whose lines the entry need not fill
  public void store(long slot, long place, Encoded key, Encoded value, long meta) {
    long polarity = MapLayout.polarity(meta);
    int lines = SlotClass.lines(MapLayout.classOf(place));
    if (lines > 1) {
      level(slot, lines, polarity);
    }
    long lengths = MapLayout.lengths(key.length(), value.length());
    int room = form.room(payload(lengths));
    form.take(memory, slot, place, lengths);
    write(slot, room, 0, key);
    write(slot, room, key.length(), value);
    for (int line = 1; line < lines; line++) {
      // MAP-1: after the line's bytes. Test: MapCrashTest.map1EntryOfSeveralLines.
      setValidity(slot, line, polarity);
    }
    // MAP-1: after the first line's bytes; where only the process dies, after all of them.
    // Test: MapCrashTest.map1EntryOfOneLine.
    memory.writeRelease(slot + META, meta);
    memory.flush(slot, (long) lines * LINE_BYTES);
  }

  /// Sees to it that no further line has the polarity that the next entry will have (MAP-2). An
  /// operation that a crash cut off can have left some so; else this only reads lines that are
  /// written next.
  private void level(long slot, int lines, long polarity) {
    boolean leveled = false;
    for (int line = 1; line < lines; line++) {
      if (validity(slot, line) == polarity) {
        setValidity(slot, line, polarity ^ 1);
        memory.flush(slot + (long) line * LINE_BYTES + LAST_WORD, WORD_BYTES);
        leveled = true;
      }
    }
    if (leveled) {
      // If only the process dies, the slot is invalid as long as META is not stored, which comes
      // last.
      // Test: MapCrashTest.map2FurtherLinesAreLeveled.
      memory.fence();
    }
  }

  private static long lastWord(long slot, int line) {
    return slot + (long) line * LINE_BYTES + LAST_WORD;
  }

  private long validity(long slot, int line) {
    return memory.readPlain(lastWord(slot, line)) >>> 56 & 1;
  }

  private void setValidity(long slot, int line, long polarity) {
    long at = lastWord(slot, line);
    memory.writeRelease(at, memory.readPlain(at) & ~VALIDITY_BYTE | polarity * VALIDITY);
  }

  /// Whether a slot holds an entry, all of it (MAP-1).
  ///
  /// @param place the slot's as it must be
  public boolean isWhole(long slot, long place, long meta) {
    boolean whole = MapLayout.version(meta) != 0 && place(slot) == place;
    int lines = SlotClass.lines(MapLayout.classOf(place));
    for (int line = 1; whole && line < lines; line++) {
      whole = validity(slot, line) == MapLayout.polarity(meta);
    }
    return whole;
  }

  /// Stores an entry in the slot of a large block that nobody finds yet, and starts writing it
  /// back.
  public void storeLarge(long slot, Encoded key, Encoded value, long meta) {
    memory.writePlain(slot + META, meta);
    long lengths = MapLayout.lengths(key.length(), value.length());
    long payload = slot + form.largePayload;
    form.take(memory, slot, MapLayout.place(MapLayout.LARGE_CLASS, 0), lengths);
    memory.writeBytesPlain(
        payloadAt(slot), key.bytes(), 0, Math.min(key.length(), form.room(payload(lengths))));
    memory.writeBytesPlain(payload, key.bytes(), 0, key.length());
    memory.writeBytesPlain(payload + key.length(), value.bytes(), 0, value.length());
    memory.flush(slot, form.largePayload + payload(lengths));
  }

  /// What a slot is to hold but for META, as bytes from its start: for a section.
  public byte[] image(long slot, long place, Encoded key, Encoded value, long polarity) {
    byte[] image = image(slot, place);
    setEntry(image, place, key.length(), value);
    copyInto(image, form.room((long) key.length() + value.length()), 0, key);
    for (int end = 2 * LINE_BYTES; end <= image.length; end += LINE_BYTES) {
      image[end - 1] = (byte) polarity;
    }
    return image;
  }

  /// What a slot holds now, as bytes from its start.
  public byte[] image(long slot, long place) {
    byte[] image = new byte[SlotClass.lines(MapLayout.classOf(place)) * LINE_BYTES];
    memory.readBytes(slot, image, 0, image.length);
    return image;
  }

  /// Where what {@link #replaceValue(long, long, int, Encoded)} stores begins.
  public long firstReplaced(long slot, int keyLength) {
    return slot + (Math.min(form.payload + keyLength, DENSE_PLACE) & -WORD_BYTES);
  }

  /// Replaces the value of an entry in a dense slot; the key and the validities stay.
  public void replaceValue(long slot, long place, int keyLength, Encoded value) {
    long lengths = MapLayout.lengths(keyLength, value.length());
    memory.writePlain(
        slot + DENSE_PLACE, MapLayout.dense(memory.readPlain(slot + DENSE_PLACE), place, lengths));
    write(slot, form.room(payload(lengths)), keyLength, value);
  }

  /// Replaces the value of an entry in a slot's image; the key and the validities stay.
  public void replaceValue(byte[] image, int keyLength, Encoded value) {
    setEntry(image, form.place(image), keyLength, value);
  }

  private void setEntry(byte[] image, long place, int keyLength, Encoded value) {
    form.setTaken(image, place, MapLayout.lengths(keyLength, value.length()));
    copyInto(image, form.room((long) keyLength + value.length()), keyLength, value);
  }

  private void copyInto(byte[] image, int room, int position, Encoded from) {
    for (int done = 0; done < from.length(); ) {
      int part = Math.min(from.length() - done, roomAt(room, position + done));
      System.arraycopy(from.bytes(), done, image, byteAt(room, position + done), part);
      done += part;
    }
  }

  /// Where a byte of key and value is in the slot.
  ///
  /// @param room how many bytes of them are in the first line
  private int byteAt(int room, int position) {
    int further = position - room;
    return further < 0
        ? form.payload + position
        : LINE_BYTES * (1 + further / FURTHER_LINE_PAYLOAD) + further % FURTHER_LINE_PAYLOAD;
  }

  /// How many bytes from a position on lie side by side.
  private static int roomAt(int room, int position) {
    int further = position - room;
    return further < 0 ? -further : FURTHER_LINE_PAYLOAD - further % FURTHER_LINE_PAYLOAD;
  }

  /// Whether bytes of key and value are an aligned word of the first line.
  ///
  /// @param position of the first, counted from the key's first
  public boolean isWord(int position, int length) {
    return length == WORD_BYTES && position % WORD_BYTES == 0 && position < form.leastRoom;
  }

  private void write(long slot, int room, int position, Encoded from) {
    if (isWord(position, from.length())) {
      memory.writePlain(payloadAt(slot) + position, from.word());
      return;
    }
    byte[] bytes = from.bytes();
    for (int done = 0; done < from.length(); ) {
      int part = Math.min(from.length() - done, roomAt(room, position + done));
      memory.writeBytesPlain(slot + byteAt(room, position + done), bytes, done, part);
      done += part;
    }
  }

  private Encoded read(long slot, long lengths, int position, int length) {
    if (isWord(position, length)) {
      return Encoded.of(memory.readPlain(payloadAt(slot) + position));
    }
    byte[] bytes = new byte[length];
    if (isLarge(lengths)) {
      memory.readBytes(slot + form.largePayload + position, bytes, 0, length);
      return Encoded.of(bytes, length);
    }
    int room = form.room(payload(lengths));
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, roomAt(room, position + done));
      memory.readBytes(slot + byteAt(room, position + done), bytes, done, part);
      done += part;
    }
    return Encoded.of(bytes, length);
  }

  /// Bytes of key and value.
  public static long payload(long lengths) {
    return (long) MapLayout.keyLength(lengths) + MapLayout.valueLength(lengths);
  }

  public boolean isLarge(long lengths) {
    return payload(lengths) > payloadMax();
  }

  /// What fits the largest slot, key and value together.
  public int payloadMax() {
    return SlotClass.FURTHER_MAX + form.leastRoom;
  }

  /// Whether lengths can be those of an entry in a slot, and not what a block holds that was freed
  /// under a reader, or a damaged file.
  public boolean isPlausible(long slot, long lengths) {
    long payload = payload(lengths);
    return MapLayout.keyLength(lengths) >= 0
        && MapLayout.valueLength(lengths) >= 0
        && payload <= MapLayout.ENTRY_MAX
        && slot + Math.max(LINE_BYTES, bytes(payload)) <= memory.length();
  }

  /// Bytes of a large block.
  public long bytesOfLarge(long payload) {
    return LINE_BYTES + form.largePayload + payload;
  }

  private long bytes(long payload) {
    int sizeClass = classHolding(payload);
    return sizeClass == MapLayout.LARGE_CLASS
        ? form.largePayload + payload
        : SlotClass.bytes(sizeClass);
  }

  /// Whether a slot's key is the one that is looked for.
  public boolean hasKey(long slot, Encoded key) {
    long lengths = lengthsThere(slot);
    if (MapLayout.keyLength(lengths) != key.length()) {
      return false;
    }
    if (key.length() == WORD_BYTES) {
      return memory.readPlain(payloadAt(slot)) == key.word();
    }
    if (key.length() <= form.leastRoom) {
      return memory.hasBytes(payloadAt(slot), key.bytes(), key.length());
    }
    return isPlausible(slot, lengths) && key.equals(read(slot, lengths, 0, key.length()));
  }

  /// The lengths of an entry, whatever is there: {@link #isPlausible} tells.
  public long lengthsThere(long slot) {
    return form.lengths(memory, slot);
  }

  /// The lengths of an entry that can't be in the middle of being changed.
  ///
  /// @throws RegionDamagedException if they can't be those of an entry
  public long lengths(long slot) {
    long lengths = lengthsThere(checkInside(slot));
    if (!isPlausible(slot, lengths)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: the lengths of a map's entry: key=%d bytes, value=%d bytes, offset=0x%X. Restore it from a backup"
              .formatted(
                  memory.name(),
                  MapLayout.keyLength(lengths),
                  MapLayout.valueLength(lengths),
                  slot));
    }
    return lengths;
  }

  /// Whether a slot's first line is in the region.
  public boolean isInside(long slot) {
    return slot > 0 && slot % LINE_BYTES == 0 && slot <= memory.length() - LINE_BYTES;
  }

  /// @param offset where the version was found
  /// @return the version
  /// @throws RegionDamagedException if no stripe comes to it
  public long checkVersion(long version, long offset) {
    if (version > MapLayout.VERSION_MAX) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a map's version=0x%X, max=0x%X, offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), version, MapLayout.VERSION_MAX, offset));
    }
    return version;
  }

  /// @return the slot
  /// @throws RegionDamagedException if its first line is not in the region
  public long checkInside(long slot) {
    if (!isInside(slot)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a map leads to a slot outside of it: offset=0x%X, region=0x%X bytes. Restore it from a backup"
              .formatted(memory.name(), slot, memory.length()));
    }
    return slot;
  }

  /// @return how many bytes a stripe has kept
  /// @throws RegionDamagedException if they can't be a slot's
  public int checkKept(long offset, long count) {
    if (count < 0 || count > bytesKept() || offset < 0 || offset > memory.length() - count) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a map's bytes to be stored again: bytes=%d, offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), count, offset));
    }
    return (int) count;
  }

  /// The key of an entry; as {@link #lengths}.
  public Encoded key(long slot) {
    long lengths = lengths(slot);
    return read(slot, lengths, 0, MapLayout.keyLength(lengths));
  }

  /// The value of an entry; as {@link #lengths}.
  public Encoded value(long slot) {
    return value(slot, lengths(slot));
  }

  /// The value of an entry whose lengths are plausible.
  public Encoded value(long slot, long lengths) {
    return read(slot, lengths, MapLayout.keyLength(lengths), MapLayout.valueLength(lengths));
  }
}
