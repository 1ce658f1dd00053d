package com.example.outbox;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;

/// Takes orders, and has each of them charged by a service elsewhere.
///
/// | what | how often, whatever is killed | by |
/// |---|---|---|
/// | an order is taken: the stock, the sales and the outbox change | once | `Resumable.run` with the order's id |
/// | the charge is requested | at least once | the outbox: a request leaves it after its answer |
/// | the charge is made | once | the key, which the service knows again |
/// | a line is printed | at most once | `Holdfast.onDurable` |
final class Shop {
  /// An order that somebody has placed.
  record Order(String article, long cents) {}

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Holdfast store;
  private final URI service;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Long> stock;
  private final BlockingQueue<Charge> outbox;
  private final Map<String, String> charged;
  private final Resumable<PlacedOrder, Void> take;

  /// @param id of the order
  record PlacedOrder(String id, Order order) {}

  Shop(Holdfast store, URI service) {
    this.store = store;
    this.service = service;
    this.stock = store.hashMap("stock", String.class, Long.class);
    this.outbox = store.queue("outbox", Charge.class);
    this.charged = store.hashMap("charged", String.class, String.class);
    this.take = store.resumable("take", PlacedOrder.class, this::take);
  }

  /// Takes an order, once for each id.
  void order(String id, Order order) {
    take.run(id, new PlacedOrder(id, order));
  }

  /// The order and the request to charge it are there together, or not at all.
  private void take(PlacedOrder placed) {
    stock.merge(placed.order().article(), -1L, Long::sum);
    outbox.add(new Charge(placed.id(), placed.order().cents()));
    store.onDurable(() -> System.out.println("taken " + placed.id()));
  }

  /// Sends what is in the outbox, the oldest first. One thread does this.
  void send() throws IOException, InterruptedException {
    for (Charge next = outbox.peek(); next != null; next = outbox.peek()) {
      Charge charge = next;
      String answer = request(charge);
      // A kill before this line has the request sent again, by the next process.
      store.transaction(
          () -> {
            outbox.remove();
            charged.put(charge.key(), answer);
          });
    }
  }

  private String request(Charge charge) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(service)
                .timeout(PATIENCE)
                .header("Idempotency-Key", charge.key())
                .POST(BodyPublishers.ofString("" + charge.cents()))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("the service answers " + response.statusCode());
    }
    return response.body();
  }

  long stock(String article) {
    return stock.getOrDefault(article, 0L);
  }

  int waiting() {
    return outbox.size();
  }

  Map<String, String> charged() {
    return charged;
  }
}
