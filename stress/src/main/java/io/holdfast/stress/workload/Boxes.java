package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentMap;

/// What {@link Exchange} keeps its tokens in: a kind of collection, of which each box is one.
enum Boxes {
  QUEUES {
    @Override
    Box open(Holdfast store, String name) {
      PersistentQueue<String> queue = store.queue(name, String.class);
      return new Box(queue) {
        @Override
        long validate() {
          return queue.validate();
        }
      };
    }
  },
  MAPS {
    @Override
    Box open(Holdfast store, String name) {
      PersistentHashMap<Integer, String> map = store.hashMap(name, Integer.class, String.class);
      return new Box(new Tokens(map)) {
        @Override
        long validate() {
          return map.validate();
        }
      };
    }
  },
  TREES {
    @Override
    Box open(Holdfast store, String name) {
      PersistentTreeMap<Integer, String> tree = store.treeMap(name, Integer.class, String.class);
      return new Box(new Tokens(tree)) {
        @Override
        long validate() {
          return tree.validate();
        }
      };
    }
  };

  /// The name of the worker's parameter that says which they are.
  static final String PARAMETER = "boxes";

  /// Opens a box.
  abstract Box open(Holdfast store, String name);

  /// What distinguishes a workload on them.
  String suffix() {
    return this == QUEUES ? "" : "-" + name().toLowerCase(Locale.ROOT);
  }

  /// A queue, or what takes its place.
  abstract static class Box {
    private final Queue<String> tokens;

    private Box(Queue<String> tokens) {
      this.tokens = tokens;
    }

    Queue<String> tokens() {
      return tokens;
    }

    /// Has the collection check itself.
    ///
    /// @return how many tokens it has
    abstract long validate();
  }

  /// The entries of a map, of which any is the first.
  private static final class Tokens extends AbstractQueue<String> {
    private final ConcurrentMap<Integer, String> map;

    private Tokens(ConcurrentMap<Integer, String> map) {
      this.map = map;
    }

    @Override
    public boolean offer(String token) {
      return map.put(Exchange.idOf(token), token) == null;
    }

    @Override
    public String poll() {
      for (Map.Entry<Integer, String> entry : map.entrySet()) {
        if (map.remove(entry.getKey(), entry.getValue())) {
          return entry.getValue();
        }
      }
      return null;
    }

    @Override
    public String peek() {
      Iterator<String> tokens = iterator();
      return tokens.hasNext() ? tokens.next() : null;
    }

    @Override
    public Iterator<String> iterator() {
      return map.values().iterator();
    }

    @Override
    public int size() {
      return map.size();
    }
  }
}
