package com.acme.libraries;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.ReferenceCountUtil;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Uses well-known libraries from several threads, and prints what came of it: with the libraries
/// woven as without. Run in a JVM of its own.
public class Libraries {
  private static final int THREADS = 4;
  private static final int ROUNDS = 200;

  public static void main(String[] arguments) throws Exception {
    guava();
    jackson();
    h2();
    netty();
    System.out.println("done");
  }

  /// Runs the same in several threads and passes on what one of them throws.
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            threads.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static void guava() throws Exception {
    Cache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(50).recordStats().build();
    ConcurrentHashMultiset<String> counts = ConcurrentHashMultiset.create();
    inThreads(
        _ -> {
          for (int i = 0; i < ROUNDS; i++) {
            int key = i;
            counts.add(cache.get(key % 70, () -> "v" + key % 70));
          }
        });
    System.out.println("guava cache " + cache.stats().requestCount() + " " + counts.size());
    int[] events = {0};
    EventBus bus = new EventBus();
    bus.register(
        new Object() {
          @Subscribe
          public void on(String event) {
            events[0] += event.length();
          }
        });
    bus.post("event");
    SettableFuture<Integer> future = SettableFuture.create();
    Thread.ofVirtual().start(() -> future.set(7));
    System.out.println("guava future " + Futures.getUnchecked(future) + " " + events[0]);
  }

  private static void jackson() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    BlockingQueue<String> texts = new ArrayBlockingQueue<>(THREADS);
    inThreads(
        _ -> {
          JsonNode tree = mapper.readTree("{\"a\":[1,2,{\"b\":\"c\"}],\"d\":null}");
          texts.put(mapper.writeValueAsString(tree));
        });
    System.out.println("jackson " + texts);
  }

  private static void h2() throws Exception {
    String url = "jdbc:h2:mem:test;DB_CLOSE_DELAY=-1";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create table account (id int primary key, balance bigint)");
      for (int i = 0; i < THREADS; i++) {
        statement.execute("insert into account values (" + i + ", 1000)");
      }
    }
    inThreads(
        thread -> {
          try (Connection connection = DriverManager.getConnection(url);
              PreparedStatement change =
                  connection.prepareStatement(
                      "update account set balance = balance + ? where id = ?")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < ROUNDS / 4; i++) {
              change.setLong(1, i);
              change.setInt(2, thread);
              change.executeUpdate();
              if (i % 3 == 0) {
                connection.rollback();
              } else {
                connection.commit();
              }
            }
          }
        });
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery("select sum(balance), count(*) from account")) {
      sum.next();
      System.out.println("h2 " + sum.getLong(1) + " " + sum.getInt(2));
    }
  }

  @SuppressWarnings("deprecation") // the groups that replace it need more of Netty
  private static void netty() throws Exception {
    BlockingQueue<String> answers = new ArrayBlockingQueue<>(ROUNDS);
    EventLoopGroup group = new DefaultEventLoopGroup(2);
    LocalAddress address = new LocalAddress("echo");
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(LocalServerChannel.class)
            .childHandler(handler((context, message) -> context.writeAndFlush("echo " + message)))
            .bind(address)
            .sync()
            .channel();
    Channel client =
        new Bootstrap()
            .group(group)
            .channel(LocalChannel.class)
            .handler(handler((_, message) -> answers.add(message.toString())))
            .connect(address)
            .sync()
            .channel();
    for (int i = 0; i < ROUNDS; i++) {
      client.writeAndFlush("message " + i);
    }
    String last = "";
    for (int i = 0; i < ROUNDS; i++) {
      last = answers.poll(1, TimeUnit.MINUTES);
    }
    System.out.println("netty " + last);
    client.close().sync();
    server.close().sync();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private interface Receiver {
    void received(ChannelHandlerContext context, Object message);
  }

  private static ChannelInitializer<Channel> handler(Receiver receiver) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new SimpleChannelInboundHandler<Object>(false) {
                  @Override
                  protected void channelRead0(ChannelHandlerContext context, Object message) {
                    receiver.received(context, message);
                    ReferenceCountUtil.release(message);
                  }
                });
      }
    };
  }
}
