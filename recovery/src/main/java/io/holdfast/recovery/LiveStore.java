package io.holdfast.recovery;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.holdfast.StoreMXBean;
import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
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
  /// @throws RegionAccessException if the process can't be attached to
  public static LiveStore of(Path file, String holder) {
    Matcher matcher = HOLDER.matcher(holder);
    if (!matcher.matches()) {
      throw new RegionAccessException(
          "%s: the process that has the store open is not known: %s".formatted(file, holder));
    }
    long pid = Long.parseLong(matcher.group(1));
    try {
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
    } catch (IOException | AttachNotSupportedException e) {
      throw new RegionAccessException(
          "%s: cannot attach to the process that has the store open: pid=%d: %s. It must be on this machine, of the same user, and no other container's"
              .formatted(file, pid, e.getMessage()),
          e);
    }
  }

  /// The address is told by the operating system's attach mechanism: of the same user's process.
  @SuppressWarnings("BanJNDI")
  private static JMXConnector connect(long pid) throws IOException, AttachNotSupportedException {
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
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
