package com.example.outbox;

import io.holdfast.Holdfast;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/// `java … com.example.outbox.Main FILE SERVICE ORDERS`: takes orders and sends their charges. Kill
/// it and run it again: it goes on where it was, and no charge is made twice or forgotten.
public final class Main {
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 3) {
      System.err.println("usage: com.example.outbox.Main FILE URI ORDERS");
      System.exit(2);
    }
    int orders = Integer.parseInt(arguments[2]);
    try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
      Shop shop = new Shop(store, URI.create(arguments[1]));
      for (int i = 0; i < orders; i++) {
        shop.order("order " + i, new Shop.Order("apple", 100 + i));
        if (i % 3 == 0) {
          shop.send();
        }
      }
      shop.send();
      System.out.println("all is sent");
    }
  }

  private Main() {}
}
