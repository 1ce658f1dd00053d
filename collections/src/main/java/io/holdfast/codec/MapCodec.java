package io.holdfast.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A map as the number of its entries, then these, key and value, in the order of the keys' bytes.
record MapCodec<K, V>(Codec<K> key, Codec<V> value) implements BuiltIn<Map<K, V>> {
  MapCodec {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }

  @Override
  public Schema.Container schema() {
    return new Schema.Container("Map", List.of(BuiltIn.schemaOf(key), BuiltIn.schemaOf(value)));
  }

  @Override
  public Codec<Map<K, V>> adaptedTo(Schema stored, Adaptation at) {
    List<Schema> before = at.arguments(stored, schema());
    return new MapCodec<>(
        at.part("key", key, before.get(0)), at.part("value", value, before.get(1)));
  }

  @Override
  public Map<K, V> absent() {
    return Map.of();
  }

  @Override
  @SuppressWarnings("unchecked") // the entries of a map from K to V
  public void encode(Map<K, V> map, EncodedOutput out) {
    Object[] entries = map.entrySet().toArray();
    out.writeLength(entries.length);
    AscendingPieces pieces = new AscendingPieces(out, entries.length);
    for (Object each : entries) {
      Map.Entry<K, V> entry = (Map.Entry<K, V>) each;
      Elements.write(key, entry.getKey(), out);
      pieces.endKey();
      Elements.write(value, entry.getValue(), out);
      pieces.endPiece();
    }
    pieces.arrange();
  }

  @Override
  public Map<K, V> decode(EncodedInput in) {
    int size = in.readLength(2);
    Map<K, V> map = new LinkedHashMap<>();
    AscendingCheck check = new AscendingCheck(in);
    for (int i = 0; i < size; i++) {
      check.beginKey();
      K k = key.decode(in);
      check.endKey();
      check.expectNew(map.put(k, value.decode(in)) == null);
    }
    return Collections.unmodifiableMap(map);
  }
}
