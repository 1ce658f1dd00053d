package io.holdfast.collections.kind;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueRescue;
import io.holdfast.collections.queue.QueueWalk;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Queues. They are read from the head on.
///
/// @param name as roots say it
record QueueKind(String name) implements CollectionKind {
  /// Elements that are handed over together.
  private static final int AT_A_TIME = 64;

  /// Bytes of a queue's blocks.
  private static final long BLOCK_BYTES = 8_128;

  private static final Encoded NO_KEY = Encoded.of(new byte[0]);

  @Override
  public String layout() {
    return PersistentQueue.KIND;
  }

  @Override
  public List<String> codecs(String fingerprint) {
    return List.of(fingerprint);
  }

  @Override
  public int parts() {
    return 1;
  }

  @Override
  public long create(Region region, String fingerprint) {
    return QueueChain.create(region);
  }

  @Override
  public boolean freeSome(Region region, Root root) {
    return QueueChain.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX);
  }

  private static QueueChain<byte[]> chain(Region region, Root root) {
    return new QueueChain<>(region, new RawCodec(root.fingerprint()), root.firstBlock());
  }

  @Override
  public OptionalLong count(Region region, Root root, boolean quickly) {
    return OptionalLong.of(chain(region, root).sizeAtOpening());
  }

  @Override
  public Walk open(Region region, Root root, KeyCodecs codecs) {
    QueueChain<byte[]> chain = chain(region, root);
    return (inspector, trail) -> inspect(chain, inspector, trail);
  }

  private static LongAdder inspect(QueueChain<byte[]> chain, Inspector inspector, Trail trail) {
    LongAdder count = new LongAdder();
    inspector.run(
        () -> {
          try {
            count.add(chain.validate(inspector));
          } catch (RegionDamagedException e) {
            inspector.fault(trail, e);
          }
        });
    return count;
  }

  @Override
  public void forEach(Region region, Root root, Visitor visitor) {
    QueueWalk<byte[]> walk = chain(region, root).walk();
    List<EncodedEntry> elements = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn && walk.advance()) {
      elements.add(new EncodedEntry(NO_KEY, Encoded.of(walk.element())));
      if (elements.size() == AT_A_TIME) {
        goesOn = visitor.visit(elements);
        elements = new ArrayList<>();
      }
    }
    if (goesOn && !elements.isEmpty()) {
      visitor.visit(elements);
    }
  }

  @Override
  public Consumer<List<EncodedEntry>> adder(Region region, Root root, KeyCodecs codecs) {
    PersistentQueue<byte[]> queue =
        new PersistentQueue<>(
            region, new RawCodec(root.fingerprint()), root.firstBlock(), Integer.MAX_VALUE);
    return elements -> elements.forEach(each -> queue.add(each.value().copy()));
  }

  @Override
  public void rescue(Region region, Root root, Trail trail, boolean isAlone, Rescue rescue) {
    new QueueRescue(region, root.firstBlock(), rescue)
        .run(trail, visitor -> visitPlaces(region, isAlone, visitor));
  }

  private static void visitPlaces(Region region, boolean isAlone, LongConsumer visitor) {
    if (isAlone) {
      region
          .heap()
          .validator()
          .forEachPlace(
              (block, bytes) -> {
                if (bytes == BLOCK_BYTES) {
                  visitor.accept(block);
                }
              });
    }
  }
}
