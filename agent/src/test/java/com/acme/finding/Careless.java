package com.acme.finding;

import com.acme.unwoven.Keeper;
import com.acme.unwoven.Logged;
import io.holdfast.Holdfast;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// A program that does all that the agent warns of, everything twice.
public class Careless {
  private final ConcurrentMap<String, Long> map;
  private final ReentrantLock lock = new ReentrantLock();
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

  Careless(Holdfast store) {
    map = store.hashMap("map", String.class, Long.class);
  }

  public static void main(String[] arguments) throws Exception {
    Logged logged = Logged.fromNowOn();
    try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
      Careless careless = new Careless(store);
      for (int i = 0; i < 2; i++) {
        careless.moves();
        new Keeper().keep(careless::changes);
        careless.leaves(careless::failsInABlock);
        careless.leaves(careless::failsUnderALock);
        careless.leaves(careless::failsInAMethod);
        careless.leaves(careless::failsBefore);
        careless.takes();
        careless.takesFirst();
        careless.ends();
        careless.looks();
      }
      List<?> report = report();
      boolean isWoven = !report.getFirst().toString().startsWith("woven so far: 0 ");
      logged.await(report.size() - 1, isWoven);
      for (Object each : report) {
        System.out.println("report: " + each.toString().lines().findFirst().orElse(""));
      }
    }
  }

  /// As `holdfast agent report` asks for it.
  static List<?> report() throws JMException, InterruptedException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName pattern = new ObjectName("io.holdfast:type=Store,*");
    Set<ObjectName> found = server.queryNames(pattern, null);
    while (found.isEmpty()) {
      Thread.sleep(10);
      found = server.queryNames(pattern, null);
    }
    Object report = server.getAttribute(found.iterator().next(), "AgentReport");
    return List.of((Object[]) report);
  }

  private void moves() {
    map.put("from", 0L);
    map.put("to", 1L);
    map.put("fee", 1L);
  }

  private void changes() {
    map.put("changed", 1L);
  }

  private void leaves(Runnable body) {
    try {
      body.run();
    } catch (IllegalStateException e) {
      // as meant
    }
  }

  private void failsInABlock() {
    synchronized (map) {
      map.put("block", 1L);
      throw new IllegalStateException();
    }
  }

  private void failsUnderALock() {
    lock.lock();
    try {
      map.put("lock", 1L);
      throw new IllegalStateException();
    } finally {
      lock.unlock();
    }
  }

  private synchronized void failsInAMethod() {
    map.put("method", 1L);
    throw new IllegalStateException();
  }

  private synchronized void failsBefore() {
    if (map.containsKey("block")) {
      throw new IllegalStateException();
    }
  }

  private void takes() throws InterruptedException {
    queue.add("element");
    synchronized (map) {
      map.put("before", 1L);
      map.put(queue.take(), 1L);
    }
  }

  /// There is nothing yet that could wait for it.
  private void takesFirst() throws InterruptedException {
    queue.add("element");
    synchronized (map) {
      map.put(queue.take(), 1L);
    }
  }

  /// Changes something once.
  private void looks() {
    map.put("looks", 1L);
    map.forEach((key, value) -> {});
  }

  private synchronized void ends() {
    map.put("ended", 1L);
  }
}
