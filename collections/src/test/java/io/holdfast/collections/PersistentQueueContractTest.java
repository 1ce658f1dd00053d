package io.holdfast.collections;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.holdfast.Holdfast;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import junit.framework.Test;
import junit.framework.TestSuite;

/// What `java.util.Queue` and `Collection` promise, by Guava's suites: for queues in real files,
/// each test's in a store of its own, and for the JDK's `LinkedBlockingQueue`, to check the suite.
///
/// After each test every queue is validated.
public final class PersistentQueueContractTest {
  private static final int BOUND = 64;

  private PersistentQueueContractTest() {}

  public static Test suite() {
    SampleElements<String> strings = new SampleElements.Strings();
    SampleElements<Integer> integers = new SampleElements.Ints();
    TestSuite suite = new TestSuite("PersistentQueue");
    suite.addTest(persistent("of String", String.class, strings, Integer.MAX_VALUE));
    suite.addTest(persistent("of String, bounded", String.class, strings, BOUND));
    suite.addTest(persistent("of Integer", Integer.class, integers, Integer.MAX_VALUE));
    suite.addTest(persistent("of Integer, bounded", Integer.class, integers, BOUND));
    suite.addTest(persistent("of records", Order.class, new Orders(), Integer.MAX_VALUE));
    suite.addTest(persistent("of records, bounded", Order.class, new Orders(), BOUND));
    suite.addTest(persistent("of long String", String.class, new LongStrings(), BOUND));
    suite.addTest(
        of("LinkedBlockingQueue", strings, new String[0], LinkedBlockingQueue::new)
            .createTestSuite());
    return suite;
  }

  /// A record, whose elements are not the objects that were added.
  public record Order(String customer, int pieces, long number) {}

  private static final class Orders extends SampleElements<Order> {
    Orders() {
      super(order("a", 1), order("b", 2), order("c", 3), order("missing", 4), order("late", 5));
    }

    private static Order order(String customer, int pieces) {
      return new Order(customer, pieces, 1L << 40);
    }
  }

  /// In several lines, and outside of the chain.
  private static final class LongStrings extends SampleElements<String> {
    LongStrings() {
      super(
          RawCodec.text("a", 700),
          RawCodec.text("b", 70_000),
          RawCodec.text("c", 1_900),
          RawCodec.text("missing", 3_000),
          RawCodec.text("late", 3_001));
    }
  }

  private static <E> Test persistent(
      String name, Class<E> type, SampleElements<E> samples, int capacity) {
    Stores stores = new Stores();
    @SuppressWarnings("unchecked") // the array is of the type
    E[] none = (E[]) Array.newInstance(type, 0);
    return of(
            "PersistentQueue " + name,
            samples,
            none,
            elements -> {
              PersistentQueue<E> queue = stores.newQueue(type, capacity);
              queue.addAll(elements);
              return queue;
            })
        .withTearDown(stores::close)
        .createTestSuite();
  }

  private interface Factory<E> {
    Queue<E> create(List<E> elements);
  }

  private static <E> QueueTestSuiteBuilder<E> of(
      String name, SampleElements<E> samples, E[] none, Factory<E> factory) {
    return QueueTestSuiteBuilder.using(new Generator<>(samples, none, factory))
        .named(name)
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES,
            CollectionSize.ANY);
  }

  private record Generator<E>(SampleElements<E> samples, E[] none, Factory<E> factory)
      implements TestQueueGenerator<E> {
    @Override
    @SuppressWarnings("unchecked") // they are the samples
    public Queue<E> create(Object... elements) {
      return factory.create((List<E>) Arrays.asList(elements));
    }

    @Override
    public E[] createArray(int length) {
      return Arrays.copyOf(none, length);
    }

    @Override
    public Iterable<E> order(List<E> insertionOrder) {
      return insertionOrder;
    }
  }

  /// The store of the test that runs.
  private static final class Stores {
    private final List<PersistentQueue<?>> queues = new ArrayList<>();
    private Path file;
    private Holdfast store;

    <E> PersistentQueue<E> newQueue(Class<E> type, int capacity) {
      try {
        if (store == null) {
          file = Files.createTempFile("contract", ".hf");
          store = Holdfast.open(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      PersistentQueue<E> queue = store.queue("queue " + queues.size(), type, capacity);
      queues.add(queue);
      return queue;
    }

    void close() {
      if (store != null) {
        queues.forEach(PersistentQueue::validate);
        store.close();
        store = null;
        queues.clear();
        file.toFile().delete();
        file.resolveSibling(file.getFileName() + ".lock").toFile().delete();
      }
    }
  }
}
