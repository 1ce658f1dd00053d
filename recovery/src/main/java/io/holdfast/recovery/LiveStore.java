package io.holdfast.recovery;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.holdfast.StoreMXBean;
import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// A store in use, seen from another process: its JMX bean, reached by attaching to the process
/// that has it open. That process must be on this machine and of the same user, and have had the
/// store open for a second.
///
/// Attaching has the other process start JMX's local connector, if it had none; the store itself is
/// asked for nothing that it would not tell anybody.
public final class LiveStore implements AutoCloseable {
  private static final Pattern HOLDER = Pattern.compile("pid=(\\d+).*");

  /// Attaching has a time limit of its own, of ten seconds, for a process that it comes to for the
  /// first time. One that was attached to before, and is stopped, is waited for without end.
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final JMXConnector connector;
  private final StoreMXBean bean;

  private LiveStore(JMXConnector connector, StoreMXBean bean) {
    this.connector = connector;
    this.bean = bean;
  }

  /// Reaches the store of a file.
  ///
  /// @param holder which process has it open, as {@link RegionView#holder} says
  /// @return `null` if the process has no bean of this store: it is older, or has not had the store
  ///   open for a second
  /// @throws RegionAccessException if the process can't be attached to, or has not answered for
  ///   half a minute
  public static LiveStore of(Path file, String holder) {
    return of(file, holder, LIMIT);
  }

  static LiveStore of(Path file, String holder, Duration limit) {
    Matcher matcher = HOLDER.matcher(holder);
    if (!matcher.matches()) {
      throw new RegionAccessException(
          "%s: the process that has the store open is not known: %s".formatted(file, holder));
    }
    String pid = matcher.group(1);
    FutureTask<LiveStore> reaching = new FutureTask<>(() -> reach(file, pid));
    Thread.ofPlatform().daemon().name("holdfast-attach").start(reaching);
    try {
      return reaching.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RegionAccessException(
          "%s: the process that has the store open does not answer: pid=%s, waited for %d s. If it was stopped (kill -STOP, a debugger), let it go on"
              .formatted(file, pid, limit.toSeconds()),
          e);
    } catch (ExecutionException e) {
      throw new RegionAccessException(
          "%s: cannot attach to the process that has the store open: pid=%s: %s. It must be on this machine, of the same user, and no other container's"
              .formatted(file, pid, e.getCause().getMessage()),
          e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegionAccessException(
          "%s: interrupted while the process that has the store open was attached to: pid=%s"
              .formatted(file, pid),
          e);
    }
  }

  /// @return `null` if the process has no bean of this store
  private static LiveStore reach(Path file, String pid)
      throws IOException, AttachNotSupportedException {
    JMXConnector connector = connect(pid);
    try {
      StoreMXBean bean = find(connector.getMBeanServerConnection(), file.toRealPath());
      if (bean != null) {
        return new LiveStore(connector, bean);
      }
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw e;
    }
    connector.close();
    return null;
  }

  /// The address is told by the operating system's attach mechanism: of the same user's process.
  @SuppressWarnings("BanJNDI")
  private static JMXConnector connect(String pid) throws IOException, AttachNotSupportedException {
    VirtualMachine machine = VirtualMachine.attach(pid);
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
    } finally {
      machine.detach();
    }
  }

  private static StoreMXBean find(MBeanServerConnection server, Path file) throws IOException {
    try {
      ObjectName pattern =
          new ObjectName("io.holdfast:type=Store,path=" + ObjectName.quote(file.toString()));
      Set<ObjectName> found = server.queryNames(pattern, null);
      return found.isEmpty()
          ? null
          : JMX.newMXBeanProxy(server, found.iterator().next(), StoreMXBean.class);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("a quoted name is none: " + file, e);
    }
  }

  /// What it tells. Its methods throw an `UndeclaredThrowableException` when the process has ended,
  /// and an `InstanceNotFoundException` in one when the store was closed.
  public StoreMXBean bean() {
    return bean;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
