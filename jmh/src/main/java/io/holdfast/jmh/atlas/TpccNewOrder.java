package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// TPC-C's transaction New-Order of one warehouse (TPC-C 5.11, 2.4): takes the district's next
/// order number, adds an order of 5 to 15 lines, and takes each line's quantity from the stock.
/// Customers and prices are not stored; orders are in a list by district, not in an index. {@link
/// TpccTables} has all that.
///
/// | block | content |
/// |---|---|
/// | root, a line for each of 10 districts | its next order number, the newest order, orders delivered, quantity delivered |
/// | root, then a line for each of 1,000 items | quantity in stock less 91, quantity ever ordered, orders |
/// | order | its number, the order before it, its lines, the district; then 4 words a line: item, quantity, amount, stock left |
///
/// **TPCC-1** Orders of a district are numbered in their order, and with those that were delivered
/// there are as many as numbers were taken. **TPCC-2** What the stock says was ordered is what
/// orders have, those delivered included.
///
/// A run leaves its orders; {@link #clear} delivers them.
public final class TpccNewOrder extends OneLock {
  private static final String DELIVER = "deliver";
  private static final int DISTRICTS = TpccOrder.DISTRICTS, ITEMS = TpccOrder.ITEMS;
  private static final int LINE_BYTES = 64;
  private static final int STOCK_AT = DISTRICTS * LINE_BYTES;
  private static final int NEWEST = 8, DELIVERED = 16, DELIVERED_QUANTITY = 24;
  private static final int YTD = 8;
  private static final int BEFORE = 8, LINES = 16, DISTRICT = 24, HEADER_BYTES = 32;
  private static final int ORDER_LINE_BYTES = 32;

  /// Orders that a section delivers.
  private static final int DELIVERED_AT_ONCE = 8;

  private final long root;
  private final int linesMin;
  private final int linesMax;

  public TpccNewOrder(ProgramMemory memory) {
    this(memory, TpccOrder.LINES_MIN, TpccOrder.LINES_MAX);
  }

  /// @param linesMin of an order
  /// @param linesMax of an order
  TpccNewOrder(ProgramMemory memory, int linesMin, int linesMax) {
    super(memory);
    this.linesMin = linesMin;
    this.linesMax = linesMax;
    root = memory.root(STOCK_AT + ITEMS * LINE_BYTES);
  }

  private long district(int number) {
    return root + (long) number * LINE_BYTES;
  }

  private long stock(long item) {
    return root + STOCK_AT + item * LINE_BYTES;
  }

  private static int bytes(long lines) {
    return HEADER_BYTES + (int) lines * ORDER_LINE_BYTES;
  }

  @Override
  void change(long draw) {
    TpccOrder drawn = TpccOrder.of(draw, DISTRICTS, ITEMS, linesMin, linesMax);
    long district = district(drawn.district());
    long order = memory.allocate(bytes(drawn.lines()));
    memory.writeNew(order, memory.read(district));
    memory.writeNew(order + BEFORE, memory.read(district + NEWEST));
    memory.writeNew(order + LINES, drawn.lines());
    memory.writeNew(order + DISTRICT, drawn.district());
    for (int i = 0; i < drawn.lines(); i++) {
      addLine(order + HEADER_BYTES + (long) i * ORDER_LINE_BYTES, drawn.item(i), drawn.quantity(i));
    }
    memory.write(district, memory.read(district) + 1);
    memory.write(district + NEWEST, order);
  }

  private void addLine(long line, long item, long quantity) {
    long left = TpccOrder.take(memory, stock(item), quantity);
    memory.writeNew(line, item);
    memory.writeNew(line + 8, quantity);
    memory.writeNew(line + 16, quantity * TpccOrder.price(item));
    memory.writeNew(line + 24, left);
  }

  private long quantity(long order) {
    long sum = 0;
    for (int i = 0; i < memory.read(order + LINES); i++) {
      sum += memory.read(order + HEADER_BYTES + (long) i * ORDER_LINE_BYTES + 8);
    }
    return sum;
  }

  @Override
  void call(String function, long argument) {
    if (function.equals(DELIVER)) {
      deliver(district((int) argument));
    } else {
      super.call(function, argument);
    }
  }

  /// Delivers the orders of all districts, the newest first.
  @Override
  public void clear() {
    for (int number = 0; number < DISTRICTS; number++) {
      long district = district(number);
      while (memory.read(district + NEWEST) != 0) {
        section(DELIVER, number);
      }
    }
  }

  private void deliver(long district) {
    long order = memory.read(district + NEWEST);
    long quantity = memory.read(district + DELIVERED_QUANTITY);
    long delivered = memory.read(district + DELIVERED);
    for (int i = 0; i < DELIVERED_AT_ONCE && order != 0; i++) {
      long before = memory.read(order + BEFORE);
      quantity += quantity(order);
      delivered++;
      memory.free(order, bytes(memory.read(order + LINES)));
      order = before;
    }
    memory.write(district + NEWEST, order);
    memory.write(district + DELIVERED, delivered);
    memory.write(district + DELIVERED_QUANTITY, quantity);
  }

  private List<Long> orders(long district) {
    List<Long> orders = new ArrayList<>();
    long order = memory.read(district + NEWEST);
    for (; order != 0; order = memory.read(order + BEFORE)) {
      orders.add(order);
    }
    return orders;
  }

  @Override
  public List<Long> content() {
    List<Long> content = new ArrayList<>();
    long ordered = 0;
    for (int number = 0; number < DISTRICTS; number++) {
      long district = district(number);
      List<Long> orders = orders(district);
      require(
          memory.read(district) == memory.read(district + DELIVERED) + orders.size(),
          "TPCC-1: district=%d, orders=%d",
          number,
          orders.size());
      for (int i = 1; i < orders.size(); i++) {
        require(
            memory.read(orders.get(i)) < memory.read(orders.get(i - 1)),
            "TPCC-1: district=%d, order=%d",
            number,
            memory.read(orders.get(i)));
      }
      ordered += memory.read(district + DELIVERED_QUANTITY);
      for (long order : orders) {
        ordered += quantity(order);
      }
      content.add(memory.read(district));
      content.add((long) orders.size());
    }
    long fromStock = 0;
    for (int item = 0; item < ITEMS; item++) {
      fromStock += memory.read(stock(item) + YTD);
    }
    require(ordered == fromStock, "TPCC-2: ordered=%d, stock=%d", ordered, fromStock);
    content.add(ordered);
    return content;
  }

  @Override
  public int blocks() {
    int blocks = 1;
    for (int number = 0; number < DISTRICTS; number++) {
      blocks += orders(district(number)).size();
    }
    return blocks;
  }
}
