package com.example.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that takes orders and has them charged over HTTP is killed again and again.
@Timeout(300)
class OutboxTest {
  private static final int ORDERS = 60;

  /// The process dies whenever the service has carried out so many requests, before it answers.
  private static final int REQUESTS_A_LIFE = 9;

  @TempDir Path dir;

  private final AtomicReference<Process> client = new AtomicReference<>();
  private final List<String> printed = new ArrayList<>();

  private void killAtTheNinth(long request) {
    if (request % REQUESTS_A_LIFE == 0) {
      // Process.destroyForcibly also closes the stream that run reads.
      ProcessHandle process = client.get().toHandle();
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  @Test
  void noChargeIsMadeTwiceOrForgotten() throws Exception {
    Path file = dir.resolve("shop.hf");
    int lives = 0;
    try (PaymentService service = new PaymentService(this::killAtTheNinth)) {
      while (!printed.contains("all is sent")) {
        run(file, service);
        lives++;
      }
      try (Holdfast store = Holdfast.open(file)) {
        Shop shop = new Shop(store, service.uri());
        assertThat(shop.stock("apple")).isEqualTo(-ORDERS);
        assertThat(shop.waiting()).isZero();
        assertThat(shop.charged()).hasSize(ORDERS);
      }
      assertThat(service.charges()).isEqualTo(ORDERS);
      assertThat(service.charged()).isEqualTo(100L * ORDERS + ORDERS * (ORDERS - 1) / 2);
      // Each kill had an answer lost, so the request came again.
      assertThat(service.requests()).isEqualTo(ORDERS + lives - 1);
      assertThat(lives).isGreaterThan(5);
    }
    List<String> taken = printed.stream().filter(line -> line.startsWith("taken")).toList();
    assertThat(new HashSet<>(taken)).as("at most once").hasSameSizeAs(taken);
  }

  private void run(Path file, PaymentService service) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                file.toString(),
                service.uri().toString(),
                "" + ORDERS)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    client.set(process);
    try (BufferedReader reader = process.inputReader()) {
      reader.lines().forEach(printed::add);
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
