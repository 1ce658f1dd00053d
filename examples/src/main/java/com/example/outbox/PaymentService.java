package com.example.outbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// A service that somebody else runs: it charges an account for a POST to `/charges`, once for each
/// header `Idempotency-Key`, and answers a repeated request as it did the first.
final class PaymentService implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final LongConsumer beforeAnswers;

  /// @param beforeAnswers is given the number of each request when it has been carried out
  PaymentService(LongConsumer beforeAnswers) throws IOException {
    this.beforeAnswers = beforeAnswers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/charges", this::charge);
    server.start();
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/charges");
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      String cents = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String answer = answers.computeIfAbsent(key, _ -> makeCharge(Long.parseLong(cents)));
      beforeAnswers.accept(requests.incrementAndGet());
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private String makeCharge(long cents) {
    return "charged, total " + charged.addAndGet(cents);
  }

  /// What all charges come to.
  long charged() {
    return charged.get();
  }

  /// How many different keys there were.
  int charges() {
    return answers.size();
  }

  /// How many requests there were.
  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
