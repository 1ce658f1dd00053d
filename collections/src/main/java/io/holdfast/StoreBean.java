package io.holdfast;

import io.holdfast.collections.StoredCollection;
import io.holdfast.core.Durability;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Sections.OpenSection;
import io.holdfast.core.section.watch.BlackBox;
import io.holdfast.core.section.watch.BlackBox.Note;
import io.holdfast.core.section.watch.Findings;
import io.holdfast.core.section.watch.Waiting;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// A store's bean, and its coming and going. Thread-safe.
final class StoreBean implements StoreMXBean {
  private static final String DOMAIN = "io.holdfast";

  /// To start JMX takes some 50 ms of processor time: a store that is opened and closed again is
  /// spared that.
  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Holdfast store;
  private final Region region;
  private final OpenCollections collections;
  private final Durability durability;
  private final Thread registration;
  private ObjectName registered;
  private boolean closed;

  StoreBean(Holdfast store, Region region, OpenCollections collections, Durability durability) {
    this.store = store;
    this.region = region;
    this.collections = collections;
    this.durability = durability;
    this.registration = // no virtual one: a process's first takes some 20 ms to start
        Thread.ofPlatform().daemon().name("holdfast-jmx").start(this::registerLater);
  }

  private void registerLater() {
    try {
      do {
        Thread.sleep(DELAY);
      } while (!isTold());
    } catch (InterruptedException e) {
      // It was closed before.
    } catch (JMException | RuntimeException e) { // a security manager's successor, a full server
      System.getLogger(DOMAIN)
          .log(Level.WARNING, store.path() + ": the store's JMX bean was not registered", e);
    }
  }

  /// @return `false` for want of memory
  private boolean isTold() throws JMException {
    try {
      register();
      return true;
    } catch (OutOfMemoryError | LinkageError e) {
      return false;
    }
  }

  private synchronized void register() throws JMException {
    if (!closed) {
      Map<String, String> keys =
          Map.of("type", "Store", "path", ObjectName.quote(region.memory().name()));
      ObjectName name = new ObjectName(DOMAIN, new Hashtable<>(keys));
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      server.registerMBean(this, name);
      registered = name;
    }
  }

  /// Takes it away. Idempotent.
  void close() {
    registration.interrupt();
    synchronized (this) {
      closed = true;
      if (registered != null) {
        try {
          ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
        } catch (JMException e) {
          System.getLogger(DOMAIN)
              .log(Level.DEBUG, store.path() + ": the store's JMX bean was gone", e);
        }
        registered = null;
      }
    }
  }

  @Override
  public String getPath() {
    return region.memory().name();
  }

  @Override
  public String getIdentity() {
    return region.identity().toString();
  }

  @Override
  public String getDurability() {
    return durability.name();
  }

  @Override
  public String getRecovery() {
    return region.report().toString();
  }

  @Override
  public long getLengthBytes() {
    return region.spans().length();
  }

  @Override
  public long getSectionsDurable() {
    region.sections().checkUsable();
    return region.durableSections();
  }

  @Override
  public List<String> getAgentReport() {
    return Findings.report();
  }

  @Override
  public List<OpenSectionState> getSectionsOpen() {
    region.sections().checkUsable();
    Memory memory = region.memory();
    List<Note> notes = BlackBox.read(memory);
    return region.sections().open().stream().map(open -> state(open, notes)).toList();
  }

  private static OpenSectionState state(OpenSection open, List<Note> notes) {
    long millis =
        notes.stream()
            .filter(note -> note.slot() == open.slot() && note.number() == open.number())
            .mapToLong(note -> Duration.between(note.since(), note.seen()).toMillis())
            .findFirst()
            .orElse(-1);
    return new OpenSectionState(open.thread(), open.lock(), millis);
  }

  @Override
  public WaitingState getSectionsWaiting() {
    Waiting waiting = region.sections().waiting();
    return waiting == null
        ? new WaitingState(0, 0, "", "", 0)
        : new WaitingState(
            waiting.sections(),
            waiting.longestMillis(),
            waiting.blocker().getName(),
            waiting.lock(),
            waiting.waiters());
  }

  @Override
  public long getDependencies() {
    return region.sections().dependencies();
  }

  @Override
  public long getTransactionsCommitted() {
    return store.transactions().committed();
  }

  @Override
  public long getTransactionsAborted() {
    return store.transactions().aborted();
  }

  @Override
  public long getFlushes() {
    return store.persistence().flushes();
  }

  @Override
  public long getFences() {
    return store.persistence().fences();
  }

  @Override
  public long getLinesWrittenBack() {
    return store.persistence().lines();
  }

  @Override
  public long getUnfinishedCalls() {
    region.sections().checkUsable();
    return store.unfinishedCalls();
  }

  @Override
  public List<JobState> getJobs() {
    region.sections().checkUsable();
    return store.jobs().stream()
        .map(
            job ->
                new JobState(
                    job.name(),
                    job.state().toString(),
                    job.isFinished(),
                    job.cuts(),
                    job.changes(),
                    System.currentTimeMillis() - job.cut().toEpochMilli()))
        .toList();
  }

  @Override
  public List<RootState> getRoots() {
    region.sections().checkUsable();
    return region.roots().all().stream().map(this::state).toList();
  }

  private RootState state(Root root) {
    StoredCollection open = collections.opened(root.name());
    return open == null
        ? new RootState(root.name(), root.kind(), -1, -1)
        : new RootState(root.name(), root.kind(), open.knownSize(), open.changes());
  }

  @Override
  public BackupState backup(String to, long bytesPerSecond) {
    Path path = Path.of(to);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "%s: cannot make a backup as \"%s\": the path is relative. Give an absolute one, of the store's machine"
              .formatted(getPath(), to));
    }
    BackupReport report = store.backup(path, bytesPerSecond);
    return new BackupState(
        report.file().toString(),
        report.bytes(),
        report.copied(),
        report.rounds(),
        report.held().toNanos() / 1_000,
        report.duration().toMillis());
  }
}
