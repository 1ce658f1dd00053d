package io.holdfast;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// Finds the JMX beans of stores.
public final class StoreBeans {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private StoreBeans() {}

  /// The bean of a store that is open, waited for.
  public static StoreMXBean of(Path file) throws JMException, IOException, InterruptedException {
    while (!isThere(file)) {
      Thread.sleep(10);
    }
    return JMX.newMXBeanProxy(SERVER, name(file), StoreMXBean.class);
  }

  static boolean isThere(Path file) throws JMException, IOException {
    return SERVER.isRegistered(name(file));
  }

  private static ObjectName name(Path file) throws JMException, IOException {
    return new ObjectName(
        "io.holdfast:type=Store,path=" + ObjectName.quote(file.toRealPath().toString()));
  }
}
