package io.holdfast.agent;

import static java.util.Map.entry;

import io.holdfast.agent.KnownClasses.Answer;
import io.holdfast.agent.Treatment.Channel;
import io.holdfast.agent.Treatment.Edge;
import io.holdfast.agent.Treatment.Twin;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The methods of the JDK's that are woven where they are called, and how: twins for locks and
/// waits, edges for what hands something over. A method is known by the class that has it, and is
/// woven if it is called on that class or one below it.
///
/// Edges follow what the JDK's documentation says of memory effects: what a thread did before it
/// put an element into a queue happens before what another does after taking it.
final class CallTable {
  private static final String LOCKS = "java/util/concurrent/locks/";
  private static final String CONCURRENT = "java/util/concurrent/";
  private static final String UNIT = "Ljava/util/concurrent/TimeUnit;";
  private static final String VAR_HANDLE = "java/lang/invoke/VarHandle";
  private static final String THREAD = "java/lang/Thread";
  private static final String STRING_BUFFER = "java/lang/StringBuffer";
  private static final String PIPED = "java/io/Piped";
  private static final String BUILDER = "java/lang/Thread$Builder";

  private static final String PUTS =
      "put offer add addAll transfer tryTransfer putFirst putLast offerFirst offerLast addFirst"
          + " addLast push set addIfAbsent addAllAbsent replaceAll sort";
  private static final String TAKES =
      "take poll remove removeAll removeIf retainAll clear drainTo takeFirst takeLast pollFirst"
          + " pollLast removeFirst removeLast pop removeFirstOccurrence removeLastOccurrence";
  private static final String LOOKS =
      "peek element contains containsAll size isEmpty iterator forEach toArray stream peekFirst"
          + " peekLast getFirst getLast get indexOf first last floor ceiling higher lower"
          + " lastIndexOf spliterator parallelStream listIterator descendingIterator subList"
          + " reversed descendingSet headSet subSet tailSet equals hashCode toString";

  private static final String MAP_CHANGES =
      "put putIfAbsent compute computeIfAbsent computeIfPresent merge replace replaceAll remove"
          + " clear pollFirstEntry pollLastEntry";
  private static final String MAP_LOOKS =
      "get getOrDefault containsKey containsValue size isEmpty keySet values entrySet forEach"
          + " firstKey lastKey firstEntry lastEntry floorKey floorEntry ceilingKey ceilingEntry"
          + " lowerKey lowerEntry higherKey higherEntry navigableKeySet descendingKeySet"
          + " descendingMap headMap subMap tailMap sequencedKeySet sequencedValues"
          + " sequencedEntrySet reversed equals hashCode toString";

  /// ConcurrentHashMap's.
  private static final String BULK =
      "mappingCount keys elements contains search searchKeys searchValues searchEntries forEachKey"
          + " forEachValue forEachEntry reduce reduceToInt reduceToLong reduceToDouble reduceKeys"
          + " reduceKeysToInt reduceKeysToLong reduceKeysToDouble reduceValues reduceValuesToInt"
          + " reduceValuesToLong reduceValuesToDouble reduceEntries reduceEntriesToInt"
          + " reduceEntriesToLong reduceEntriesToDouble";

  /// Classes of the JDK's, outside of its concurrent packages, that lock a monitor of their own in
  /// each method.
  private static final Set<String> LOCKED =
      Set.of(
          "java/util/Vector",
          "java/util/Stack",
          "java/util/Hashtable",
          "java/util/Properties",
          STRING_BUFFER,
          "java/io/PipedInputStream",
          "java/io/PipedOutputStream",
          "java/io/PipedReader",
          "java/io/PipedWriter");

  /// What collections that threads share are declared as, and others too.
  private static final Set<String> INTERFACES =
      names(
              "Collection SequencedCollection List Set SequencedSet SortedSet NavigableSet Queue"
                  + " Deque Map SequencedMap SortedMap NavigableMap")
          .map(name -> "java/util/" + name)
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> STREAMS =
      names("Stream IntStream LongStream DoubleStream")
          .map(name -> "java/util/stream/" + name)
          .collect(Collectors.toUnmodifiableSet());

  /// The methods of streams that run their lambdas, by other threads if they are parallel.
  private static final Set<String> ENDS_OF_STREAMS =
      names(
              "forEach forEachOrdered toArray toList reduce collect sum min max count average"
                  + " summaryStatistics anyMatch allMatch noneMatch findFirst findAny")
          .collect(Collectors.toUnmodifiableSet());

  /// Methods that every class has. Those of classes that are not the JDK's own are left alone, or
  /// each class that is described or compared would be looked for.
  private static final Set<String> OF_ALL = Set.of("equals", "hashCode", "toString");

  private static final Found PARALLEL =
      new Found(new Edge(Construct.TASK, true, true, Channel.RECEIVER, false), Answer.YES);

  /// The methods of such interfaces, by name.
  private static final Map<String, Edge> SHARED = new HashMap<>();

  /// Those that wait for another thread, where they wait at all.
  private static final Set<String> BLOCKING =
      Set.of(
          "take",
          "takeFirst",
          "takeLast",
          "join",
          "await",
          "acquire",
          "acquireUninterruptibly",
          "exchange",
          "awaitAdvance",
          "awaitAdvanceInterruptibly",
          "arriveAndAwaitAdvance");

  /// How descriptors of methods begin that take a task.
  private static final List<String> TASKS =
      List.of(
          "(Ljava/lang/Runnable;",
          "(Ljava/util/concurrent/Callable;",
          "(Ljava/util/concurrent/ForkJoinTask;",
          "(Ljava/util/function/");

  private static final Set<String> FUTURES =
      Set.of(CONCURRENT + "Future", CONCURRENT + "CompletableFuture", CONCURRENT + "ForkJoinTask");

  /// What returns a result, or throws because there is an exception in its place.
  private static final Set<String> RESULTS =
      Set.of("get", "getNow", "join", "resultNow", "exceptionNow");

  /// By the name of the class that has the method, twins first.
  private static final List<Method> METHODS = new ArrayList<>();

  private static final Map<String, List<Method>> BY_NAME = new HashMap<>();

  /// Static methods, by name and descriptor. A class below the one that has it may be named, too.
  private static final Map<String, StaticMethod> STATIC = new HashMap<>();

  private record StaticMethod(String base, Twin twin) {}

  /// @param base the class that has it
  /// @param descriptor `null` for any
  private record Method(String base, String name, String descriptor, Treatment treatment) {
    boolean mayBe(String called) {
      if (descriptor != null) {
        return descriptor.equals(called);
      }
      // Methods called `execute` and `handle` are everywhere: to ask of each class whether it is an
      // executor's would read their files.
      return !(treatment instanceof Edge edge && edge.isOfTask())
          || edge.channel() != Channel.FIRST_ARGUMENT
          || TASKS.stream().anyMatch(called::startsWith);
    }

    /// Classes that hardly anybody extends, with methods of common names, are known by their own
    /// name alone: to ask of each class with a `close` what it is below would read their files.
    Answer isOf(String owner, KnownClasses classes) {
      if (base.equals(STRING_BUFFER) || base.startsWith(PIPED)) {
        return owner.equals(base) ? Answer.YES : Answer.NO;
      }
      if (name.equals("close") && !owner.startsWith(CONCURRENT)) {
        return Answer.NO;
      }
      if (OF_ALL.contains(name)
          && !base.startsWith(CONCURRENT + "atomic/")
          && !owner.startsWith(CONCURRENT)
          && !LOCKED.contains(owner)) {
        return Answer.NO;
      }
      return classes.isBelow(owner, base);
    }
  }

  /// What is known of a call.
  ///
  /// @param treatment `null` if nothing is to be done
  /// @param answer UNKNOWN if its class is not to be found and it looks like a lock's
  record Found(Treatment treatment, Answer answer) {
    private static final Found NOTHING = new Found(null, Answer.NO);
    private static final Found UNKNOWN = new Found(null, Answer.UNKNOWN);
  }

  static {
    twins(
        Construct.LOCK,
        LOCKS + "Lock",
        Hooks.LOCKS,
        "lock()V lockInterruptibly()V tryLock()Z tryLock(J" + UNIT + ")Z unlock()V",
        "newCondition()L" + LOCKS + "Condition;");
    twins(
        Construct.LOCK,
        LOCKS + "ReentrantReadWriteLock",
        Hooks.LOCKS,
        "readLock()L" + LOCKS + "ReentrantReadWriteLock$ReadLock;",
        "writeLock()L" + LOCKS + "ReentrantReadWriteLock$WriteLock;");
    twins(
        Construct.LOCK,
        LOCKS + "ReadWriteLock",
        Hooks.LOCKS,
        "readLock()L" + LOCKS + "Lock;",
        "writeLock()L" + LOCKS + "Lock;");
    twins(
        Construct.CONDITION,
        LOCKS + "Condition",
        Hooks.CONDITIONS,
        "await()V awaitUninterruptibly()V awaitNanos(J)J await(J" + UNIT + ")Z",
        "awaitUntil(Ljava/util/Date;)Z");
    twins(
        Construct.LOCK,
        LOCKS + "StampedLock",
        Hooks.STAMPED_LOCKS,
        "writeLock()J writeLockInterruptibly()J tryWriteLock()J tryWriteLock(J" + UNIT + ")J",
        "readLock()J readLockInterruptibly()J tryReadLock()J tryReadLock(J" + UNIT + ")J",
        "validate(J)Z unlockWrite(J)V unlockRead(J)V unlock(J)V tryUnlockWrite()Z tryUnlockRead()Z",
        "tryConvertToWriteLock(J)J tryConvertToReadLock(J)J tryConvertToOptimisticRead(J)J",
        "asReadLock()L" + LOCKS + "Lock; asWriteLock()L" + LOCKS + "Lock;",
        "asReadWriteLock()L" + LOCKS + "ReadWriteLock;");

    for (String type : List.of("Boolean", "Integer", "Long", "Reference")) {
      atomics("Atomic" + type, Channel.RECEIVER);
    }
    for (String type : List.of("Integer", "Long", "Reference")) {
      atomics("Atomic" + type + "Array", Channel.RECEIVER);
      atomics("Atomic" + type + "FieldUpdater", Channel.FIRST_ARGUMENT);
    }
    for (String type : List.of("Markable", "Stamped")) {
      edges(
          Construct.ATOMIC,
          "atomic/Atomic" + type + "Reference",
          "set",
          "get getReference getStamp isMarked",
          "compareAndSet weakCompareAndSet attemptMark attemptStamp");
    }
    for (String type :
        List.of("LongAdder", "DoubleAdder", "LongAccumulator", "DoubleAccumulator")) {
      edges(
          Construct.ATOMIC,
          "atomic/" + type,
          "add increment decrement accumulate reset",
          "sum get intValue longValue floatValue doubleValue toString",
          "sumThenReset getThenReset");
    }

    // A thread that had to wait for room, or finds that another one waits, depends on the takers.
    edges(
        Construct.EDGE,
        "BlockingQueue",
        "",
        LOOKS + " remainingCapacity hasWaitingConsumer getWaitingConsumerCount",
        PUTS + " " + TAKES);
    for (String type :
        List.of(
            "ConcurrentLinkedQueue",
            "ConcurrentLinkedDeque",
            "CopyOnWriteArrayList",
            "CopyOnWriteArraySet",
            "ConcurrentSkipListSet",
            "ConcurrentHashMap$KeySetView")) {
      edges(Construct.EDGE, type, PUTS, TAKES + " " + LOOKS, "");
    }
    edges(Construct.EDGE, "ConcurrentMap", "putAll", MAP_LOOKS + " " + BULK, MAP_CHANGES);
    edges(Construct.EDGE, "CountDownLatch", "countDown", "await getCount", "");
    edges(Construct.EDGE, "CyclicBarrier", "reset", "isBroken getNumberWaiting", "await");
    edges(
        Construct.EDGE,
        "Phaser",
        "arrive arriveAndDeregister forceTermination",
        "awaitAdvance awaitAdvanceInterruptibly getPhase isTerminated getRegisteredParties"
            + " getArrivedParties getUnarrivedParties",
        "arriveAndAwaitAdvance register bulkRegister");
    edges(
        Construct.EDGE,
        "Semaphore",
        "release",
        "acquire acquireUninterruptibly tryAcquire drainPermits availablePermits",
        "");
    edges(Construct.EDGE, "Exchanger", "", "", "exchange");
    edges(
        Construct.EDGE,
        "CompletableFuture",
        "complete completeExceptionally cancel obtrudeValue obtrudeException",
        "join getNow isCompletedExceptionally",
        "");
    edges(
        Construct.EDGE,
        "Future",
        "cancel",
        "get isDone isCancelled resultNow exceptionNow state",
        "");
    edges(Construct.EDGE, "FutureTask", "run runAndReset", "", "");
    tasks("Executor", "execute submit schedule", Channel.FIRST_ARGUMENT, false);
    tasks("Executor", "scheduleAtFixedRate scheduleWithFixedDelay", Channel.FIRST_ARGUMENT, false);
    tasks("Executor", "invoke", Channel.FIRST_ARGUMENT, true);
    tasks("Executor", "invokeAll invokeAny", Channel.STATIC, true);
    tasks("CompletionService", "submit", Channel.FIRST_ARGUMENT, false);
    tasks("ForkJoinTask", "fork", Channel.RECEIVER, false);
    tasks("ForkJoinTask", "invoke", Channel.RECEIVER, true);
    tasks("ForkJoinTask", "quietlyInvoke", Channel.RECEIVER, true);
    edges(
        Construct.EDGE,
        "ForkJoinTask",
        "complete completeExceptionally quietlyComplete",
        "join quietlyJoin isCompletedNormally isCompletedAbnormally getException getRawResult",
        "");
    tasks(
        "CompletionStage",
        "thenApply thenApplyAsync thenAccept thenAcceptAsync thenRun thenRunAsync thenCompose"
            + " thenComposeAsync handle handleAsync whenComplete whenCompleteAsync exceptionally"
            + " exceptionallyAsync exceptionallyCompose exceptionallyComposeAsync",
        Channel.FIRST_ARGUMENT,
        false);
    tasks(
        "CompletionStage",
        "thenCombine thenCombineAsync thenAcceptBoth thenAcceptBothAsync runAfterBoth"
            + " runAfterBothAsync applyToEither applyToEitherAsync acceptEither acceptEitherAsync"
            + " runAfterEither runAfterEitherAsync",
        Channel.STATIC,
        false);
    tasks("CompletableFuture", "completeAsync", Channel.FIRST_ARGUMENT, false);
    tasks("SubmissionPublisher", "submit offer", Channel.STATIC, false);
    tasks("StructuredTaskScope", "fork", Channel.FIRST_ARGUMENT, false);
    results("CompletionService", "take poll");
    results("ExecutorService", "awaitTermination isTerminated close");
    results("ForkJoinPool", "awaitQuiescence isQuiescent");
    results("StructuredTaskScope", "join");
    results("StructuredTaskScope$Subtask", "get state exception");
    for (String type : List.of("AbstractQueuedSynchronizer", "AbstractQueuedLongSynchronizer")) {
      edges(
          Construct.EDGE,
          "locks/" + type,
          "setState release releaseShared",
          "getState acquire acquireInterruptibly tryAcquireNanos acquireShared"
              + " acquireSharedInterruptibly tryAcquireSharedNanos",
          "compareAndSetState");
    }
    for (String type : List.of("Vector", "Hashtable")) {
      locked(
          "java/util/" + type,
          PUTS
              + " addElement insertElementAt setElementAt setSize putAll putIfAbsent compute"
              + " computeIfAbsent computeIfPresent merge replace setProperty load loadFromXML",
          TAKES + " removeElement removeElementAt removeAllElements",
          LOOKS
              + " elementAt firstElement lastElement elements keys search empty lastIndexOf"
              + " copyInto subList listIterator containsKey containsValue getOrDefault keySet"
              + " values entrySet getProperty stringPropertyNames propertyNames store storeToXML"
              + " list clone");
    }
    locked(
        STRING_BUFFER,
        "append insert replace reverse setLength setCharAt appendCodePoint repeat",
        "delete deleteCharAt",
        "length charAt substring subSequence indexOf lastIndexOf toString chars codePointAt"
            + " compareTo getChars capacity isEmpty codePointBefore codePointCount codePoints"
            + " offsetByCodePoints");
    for (String type : List.of("OutputStream", "Writer")) {
      locked(PIPED + type, "write append flush close", "", "");
    }
    for (String type : List.of("InputStream", "Reader")) {
      locked(PIPED + type, "", "", "read readAllBytes readNBytes available ready skip");
    }
    edge(Construct.EDGE, THREAD, "start", false, true);
    edge(Construct.EDGE, THREAD, "interrupt", false, true);
    edge(Construct.EDGE, THREAD, "join", true, false);
    edge(Construct.EDGE, THREAD, "isAlive", true, false);
    twins(Construct.EDGE, THREAD, Hooks.THREADS, "isInterrupted()Z");
    twins(Construct.EDGE, BUILDER, Hooks.THREADS, "start(Ljava/lang/Runnable;)Ljava/lang/Thread;");
    staticTwins(
        THREAD,
        Hooks.THREADS,
        "startVirtualThread(Ljava/lang/Runnable;)Ljava/lang/Thread;",
        "interrupted()Z");

    String future = ")Ljava/util/concurrent/CompletableFuture;";
    String executor = "Ljava/util/concurrent/Executor;";
    staticTwins(
        CONCURRENT + "CompletableFuture",
        Hooks.TASKS,
        "runAsync(Ljava/lang/Runnable;" + future,
        "runAsync(Ljava/lang/Runnable;" + executor + future,
        "supplyAsync(Ljava/util/function/Supplier;" + future,
        "supplyAsync(Ljava/util/function/Supplier;" + executor + future);
    String task = "Ljava/util/concurrent/ForkJoinTask;";
    staticTwins(
        CONCURRENT + "ForkJoinTask",
        Hooks.TASKS,
        "invokeAll(" + task + task + ")V",
        "invokeAll([" + task + ")V",
        "invokeAll(Ljava/util/Collection;)Ljava/util/Collection;");

    names(MAP_LOOKS + " " + LOOKS).forEach(name -> shared(name, false));
    names("putAll " + MAP_CHANGES + " " + PUTS + " " + TAKES).forEach(name -> shared(name, true));

    for (Method method : METHODS) {
      BY_NAME.computeIfAbsent(method.name(), _ -> new ArrayList<>()).add(method);
    }
  }

  /// `wait`, which is final in Object, so that it is known by itself whatever class is named.
  private static final Map<String, Treatment> WAITS =
      Map.ofEntries(waiting("()V"), waiting("(J)V"), waiting("(JI)V"));

  private static Map.Entry<String, Treatment> waiting(String descriptor) {
    Twin twin =
        new Twin(
            Construct.WAIT,
            Hooks.MONITORS,
            "await",
            withReceiver("java/lang/Object", MethodTypeDesc.ofDescriptor(descriptor)));
    return entry(descriptor, twin);
  }

  private static MethodTypeDesc withReceiver(String base, MethodTypeDesc type) {
    return type.insertParameterTypes(0, ClassDesc.ofInternalName(base));
  }

  private static void twins(Construct construct, String base, ClassDesc hooks, String... methods) {
    Stream.of(methods)
        .flatMap(line -> Stream.of(line.split(" ")))
        .forEach(
            method -> {
              String name = method.substring(0, method.indexOf('('));
              String descriptor = method.substring(name.length());
              MethodTypeDesc type = withReceiver(base, MethodTypeDesc.ofDescriptor(descriptor));
              METHODS.add(
                  new Method(base, name, descriptor, new Twin(construct, hooks, name, type)));
            });
  }

  private static void staticTwins(String base, ClassDesc hooks, String... methods) {
    for (String method : methods) {
      String name = method.substring(0, method.indexOf('('));
      MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.substring(name.length()));
      STATIC.put(method, new StaticMethod(base, new Twin(Construct.EDGE, hooks, name, type)));
    }
  }

  private static void atomics(String type, Channel channel) {
    String base = CONCURRENT + "atomic/" + type;
    String names =
        "get set lazySet getAcquire setRelease toString intValue longValue floatValue doubleValue"
            + " compareAndSet weakCompareAndSet weakCompareAndSetVolatile weakCompareAndSetAcquire"
            + " weakCompareAndSetRelease compareAndExchange compareAndExchangeAcquire"
            + " compareAndExchangeRelease getAndSet getAndIncrement getAndDecrement getAndAdd"
            + " incrementAndGet decrementAndGet addAndGet getAndUpdate updateAndGet"
            + " getAndAccumulate accumulateAndGet";
    for (String name : names.split(" ")) {
      AccessMode mode = AccessMode.ofAtomic(name);
      Edge edge = new Edge(Construct.ATOMIC, mode.reads(), mode.writes(), channel, false);
      METHODS.add(new Method(base, name, null, edge));
    }
  }

  private static void edges(
      Construct construct, String type, String writes, String reads, String both) {
    String base = CONCURRENT + type;
    names(writes).forEach(name -> edge(construct, base, name, false, true));
    names(reads).forEach(name -> edge(construct, base, name, true, false));
    names(both).forEach(name -> edge(construct, base, name, true, true));
  }

  /// What changes such an object waits for its monitor, so it sees what those before did.
  private static void locked(String base, String writes, String removes, String reads) {
    names(writes).forEach(name -> edge(Construct.EDGE, base, name, true, true));
    names(removes).forEach(name -> edge(Construct.EDGE, base, name, true, true));
    names(reads).forEach(name -> edge(Construct.EDGE, base, name, true, false));
  }

  private static Stream<String> names(String text) {
    return Stream.of(text.split(" ")).filter(name -> !name.isEmpty());
  }

  private static void shared(String name, boolean writes) {
    SHARED.put(name, new Edge(Construct.SHARED, true, writes, Channel.RECEIVER, false));
  }

  private static boolean fails(String base, boolean reads, String name) {
    return reads
        && (base.equals(CONCURRENT + "CyclicBarrier") && name.equals("await")
            || FUTURES.contains(base) && RESULTS.contains(name));
  }

  /// Calls that hand over a task, and return when it has ended, or before.
  private static void tasks(String type, String names, Channel channel, boolean waits) {
    String base = CONCURRENT + type;
    Edge edge = new Edge(Construct.HANDED, waits, true, channel, false, waits);
    names(names).forEach(name -> METHODS.add(new Method(base, name, null, edge)));
  }

  /// Calls that wait for tasks whose object is no future.
  private static void results(String type, String names) {
    Edge edge = new Edge(Construct.HANDED, true, false, Channel.STATIC, false, true);
    names(names).forEach(name -> METHODS.add(new Method(CONCURRENT + type, name, null, edge)));
  }

  private static void edge(
      Construct construct, String base, String name, boolean reads, boolean writes) {
    boolean blocks = reads && BLOCKING.contains(name);
    Edge edge =
        new Edge(construct, reads, writes, Channel.RECEIVER, blocks, fails(base, reads, name));
    METHODS.add(new Method(base, name, null, edge));
  }

  /// @param owner the class that the call names
  static Found find(String owner, String name, String descriptor, KnownClasses classes) {
    if (name.equals("wait") && WAITS.containsKey(descriptor)) {
      return new Found(WAITS.get(descriptor), Answer.YES);
    }
    if (owner.equals(VAR_HANDLE)) {
      AccessMode mode = AccessMode.ofVarHandle(name);
      return mode == null ? Found.NOTHING : new Found(mode.edge(descriptor), Answer.YES);
    }
    if (STREAMS.contains(owner)) {
      return ENDS_OF_STREAMS.contains(name) ? PARALLEL : Found.NOTHING;
    }
    if (INTERFACES.contains(owner)) {
      Edge shared = SHARED.get(name);
      return shared == null ? Found.NOTHING : new Found(shared, Answer.YES);
    }
    List<Method> methods = BY_NAME.get(name);
    if (methods == null || isElsewhere(owner)) {
      return Found.NOTHING;
    }
    Found found = Found.NOTHING;
    for (Method method : methods) {
      if (method.mayBe(descriptor)) {
        Answer answer = method.isOf(owner, classes);
        if (answer == Answer.YES) {
          return new Found(method.treatment(), answer);
        }
        if (answer == Answer.UNKNOWN && method.treatment() instanceof Twin) {
          found = Found.UNKNOWN;
        }
      }
    }
    return found;
  }

  /// The same for a call of a static method. Of a class that is not to be found it is none of
  /// these: their names are the JDK's own.
  static Found findStatic(String owner, String name, String descriptor, KnownClasses classes) {
    StaticMethod method = STATIC.get(name + descriptor);
    return method != null && classes.isBelow(owner, method.base()) == Answer.YES
        ? new Found(method.twin(), Answer.YES)
        : Found.NOTHING;
  }

  /// Whether a class is the JDK's and can't be below one of the table. It saves reading its file.
  static boolean isElsewhere(String owner) {
    return owner.startsWith("[")
        || owner.startsWith("java/")
            && !owner.startsWith(CONCURRENT)
            && !owner.equals(THREAD)
            && !owner.startsWith(BUILDER)
            && !LOCKED.contains(owner);
  }

  /// The twins, for the test that core has them.
  static List<Twin> twins() {
    List<Twin> twins = new ArrayList<>();
    METHODS.stream()
        .map(Method::treatment)
        .filter(Twin.class::isInstance)
        .map(Twin.class::cast)
        .forEach(twins::add);
    WAITS.values().forEach(twin -> twins.add((Twin) twin));
    STATIC.values().forEach(method -> twins.add(method.twin()));
    return twins;
  }

  private CallTable() {}
}
