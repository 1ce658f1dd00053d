package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import java.io.IOException;

/// A fault: the JVM crashes at work, as it does when a page is missing.
public final class CrashingWork implements Workload {
  @Override
  public String name() {
    return "crashing";
  }

  @Override
  public void setUp(Worker worker) {
    // nothing is needed
  }

  @Override
  public void work(Worker worker, int thread) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-SEGV", Long.toString(ProcessHandle.current().pid())).start();
    Thread.sleep(60_000);
  }

  @Override
  public void acknowledged(int channel, long number) {
    throw new AssertionError("not an acknowledgement: channel=" + channel);
  }

  @Override
  public void check(Holdfast store, int lives) {
    // the store is as it should be
  }
}
