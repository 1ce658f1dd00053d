package io.holdfast.stress.kill;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Makes a JVM that hangs say where.
final class ThreadDump {
  /// Runs the JDK's own `jcmd`, and passes on what it prints.
  static void request(Process jvm) {
    try {
      String jcmd = System.getProperty("java.home") + "/bin/jcmd";
      Process dump =
          new ProcessBuilder(jcmd, Long.toString(jvm.pid()), "Thread.print")
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      dump.waitFor(20, TimeUnit.SECONDS);
    } catch (IOException e) {
      System.err.println("no thread dump of the worker: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private ThreadDump() {}
}
