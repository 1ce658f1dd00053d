package com.acme.advice;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// Does what the agent gives advice on, and the like of it that is right. Never run.
public class Questionable {
  private final Lock lock = new ReentrantLock();
  private Holdfast here;
  private Holdfast there;
  private PersistentQueue<String> in;
  private PersistentQueue<String> out;
  private long length;
  private volatile String last;
  private static int lines;

  synchronized void sleeps() throws InterruptedException {
    Thread.sleep(1);
  }

  void sleepsOutside() throws InterruptedException {
    synchronized (this) {
      in.clear();
    }
    Thread.sleep(1);
  }

  void sleepsUnderALock() throws InterruptedException {
    lock.lock();
    try {
      Thread.sleep(1);
    } finally {
      lock.unlock();
    }
    Thread.sleep(2);
  }

  void writes(Path file) throws IOException {
    synchronized (this) {
      Files.writeString(file, "sent");
    }
  }

  synchronized void prints() {
    System.out.println("sent");
  }

  synchronized String inMemory() {
    StringWriter text = new StringWriter();
    text.write(URI.create("a:b").getPath());
    return text.toString();
  }

  void moves() {
    out.add(in.remove());
  }

  synchronized void movesUnderALock() {
    out.add(in.remove());
  }

  void adds() {
    out.add("one");
  }

  synchronized void handsOver(ExecutorService executor) {
    executor.execute(this::adds);
  }

  synchronized CompletableFuture<Void> handsOverToo() {
    return CompletableFuture.runAsync(this::adds);
  }

  void handsOverOutside(ExecutorService executor) {
    synchronized (this) {
      adds();
    }
    executor.submit(this::adds);
  }

  synchronized void counts(String line) {
    in.add(line);
    length += line.length();
    last = line;
    lines++;
  }

  void countsOutside(String line) {
    synchronized (this) {
      in.add(line);
    }
    length += line.length();
  }

  synchronized void countsAlone() {
    lines++;
  }

  synchronized void opens(PersistentQueue<String> queue) {
    queue.clear();
    in = queue;
  }

  synchronized void spans() {
    here.atomically(() -> in.add("one"));
    there.atomically(() -> out.add("one"));
  }
}
