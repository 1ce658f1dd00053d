package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// TPC-C's transaction New-Order of one warehouse (TPC-C 5.11, 2.4) over tables in B-trees, with
/// customers and an index of orders by customer, as the thesis has it after REWIND (4.6; Table
/// 5.4). {@link TpccNewOrder} stores the least that the transaction has to; here each row is of 3
/// KiB, the thesis's data set, though TPC-C's own have 655 bytes at most.
///
/// | root word | content |
/// |---|---|
/// | 0 | rows loaded: districts, customers, items |
/// | 1 | the warehouse's year to date |
/// | 8 to 15 | the tables: {@link WordTree}s from a key to its row |
///
/// | row | key | word 1 | word 2 | word 3 |
/// |---|---|---|---|---|
/// | district | its number, from 1 on | next order's number | year to date | |
/// | customer | district, number | paid | quantity delivered | |
/// | item | its number, from 1 on | price | | |
/// | stock | the item's | quantity left, less 91 | quantity ever ordered | orders |
/// | order, also by district, customer and number, and while it is new | district, number | the customer's key | lines | |
/// | order line | district, order, line | item | quantity | amount |
///
/// Word 0 of a row is its key, and so is each from word 4 on.
///
/// The warehouse's conditions (TPC-C 3.3.2), where a delivered order is paid and removed, so that
/// {@link #clear} leaves none:
///
/// - **TPCC-3** (1, and 9 without a history) The warehouse's year to date is the sum of its
///   districts', and theirs what their customers have paid.
/// - **TPCC-4** (2, 3) A district's orders, and its new orders, have the numbers that end before
///   its next one.
/// - **TPCC-5** (4) The order lines are those that the orders say; each order is in the index, and
///   nothing else is.
/// - **TPCC-6** What the stock says was ordered is what order lines have, those delivered included;
///   every row is whole.
public final class TpccTables extends OneLock {
  static final String DELIVER = "deliver";
  private static final String LOAD = "load";
  private static final int YTD = 8, TABLES_AT = 64, ROOT_BYTES = 128;

  /// Columns of a row.
  private static final int A = 8, B = 16, C = 24, FILLER_AT = 32;

  /// In keys: an order's number, or none, then a customer's, or none, then the district's.
  private static final int CUSTOMER_SHIFT = 32, DISTRICT_SHIFT = 44;

  private static final int LINE_BITS = 4;

  private final Scale scale;
  private final long root;
  private final List<WordTree> tables = new ArrayList<>();
  private final WordTree districts, customers, items, stock;
  private final WordTree orders, ordersByCustomer, newOrders, lines;

  /// How much there is.
  ///
  /// @param customers of a district, 4,095 at most
  /// @param linesMin of an order
  /// @param linesMax of an order, 15 at most
  record Scale(int districts, int customers, int items, int linesMin, int linesMax, int rowBytes) {}

  public TpccTables(ProgramMemory memory) {
    this(
        memory,
        new Scale(
            TpccOrder.DISTRICTS,
            30,
            TpccOrder.ITEMS,
            TpccOrder.LINES_MIN,
            TpccOrder.LINES_MAX,
            3 << 10));
  }

  TpccTables(ProgramMemory memory, Scale scale) {
    super(memory);
    this.scale = scale;
    root = memory.root(ROOT_BYTES);
    districts = table();
    customers = table();
    items = table();
    stock = table();
    orders = table();
    ordersByCustomer = table();
    newOrders = table();
    lines = table();
    resume();
    int rows = scale.districts * (1 + scale.customers) + scale.items;
    while (memory.read(root) < rows) {
      section(LOAD, 0);
    }
  }

  private WordTree table() {
    WordTree table = new WordTree(memory, root + TABLES_AT + (long) tables.size() * Long.BYTES);
    tables.add(table);
    return table;
  }

  private static long orderKey(long district, long number) {
    return district << DISTRICT_SHIFT | number;
  }

  private static long customerKey(long district, long number) {
    return district << DISTRICT_SHIFT | number << CUSTOMER_SHIFT;
  }

  private static long byCustomer(long customer, long order) {
    return customer | number(order);
  }

  private static long number(long order) {
    return order & (1L << CUSTOMER_SHIFT) - 1;
  }

  private static long lineKey(long order, int line) {
    return order << LINE_BITS | line;
  }

  /// A row that is in no table yet.
  private long newRow(long key, long a, long b, long c) {
    long row = memory.allocate(scale.rowBytes);
    memory.writeNew(row, key);
    memory.writeNew(row + A, a);
    memory.writeNew(row + B, b);
    memory.writeNew(row + C, c);
    for (int at = FILLER_AT; at < scale.rowBytes; at += Long.BYTES) {
      memory.writeNew(row + at, key);
    }
    return row;
  }

  private void increase(long word, long by) {
    memory.write(word, memory.read(word) + by);
  }

  @Override
  void call(String function, long argument) {
    switch (function) {
      case LOAD -> load();
      case DELIVER -> deliver(argument);
      default -> super.call(function, argument);
    }
  }

  /// Adds the next row to the tables that stay as they are.
  private void load() {
    long loaded = memory.read(root);
    long item = 1 + loaded - (long) scale.districts * (1 + scale.customers);
    if (loaded < scale.districts) {
      districts.add(1 + loaded, newRow(1 + loaded, 1, 0, 0));
    } else if (item < 1) {
      long n = loaded - scale.districts;
      long customer = customerKey(1 + n / scale.customers, 1 + n % scale.customers);
      customers.add(customer, newRow(customer, 0, 0, 0));
    } else {
      items.add(item, newRow(item, TpccOrder.price(item), 0, 0));
      stock.add(item, newRow(item, 0, 0, 0));
    }
    memory.write(root, loaded + 1);
  }

  @Override
  void change(long draw) {
    TpccOrder drawn =
        TpccOrder.of(draw, scale.districts, scale.items, scale.linesMin, scale.linesMax);
    long district = 1 + drawn.district();
    long customer = customerKey(district, 1 + below(draw >>> 21 | draw << 43, scale.customers));
    long next = districts.find(district) + A;
    long order = orderKey(district, memory.read(next));
    increase(next, 1);
    long row = newRow(order, customer, drawn.lines(), 0);
    orders.add(order, row);
    ordersByCustomer.add(byCustomer(customer, order), row);
    newOrders.add(order, row);
    for (int i = 0; i < drawn.lines(); i++) {
      long item = 1 + drawn.item(i);
      long quantity = drawn.quantity(i);
      long amount = quantity * memory.read(items.find(item) + A);
      TpccOrder.take(memory, stock.find(item) + A, quantity);
      lines.add(lineKey(order, i), newRow(lineKey(order, i), item, quantity, amount));
    }
  }

  /// Delivers the oldest of a district's orders.
  private void deliver(long district) {
    long order = newOrders.from(orderKey(district, 0));
    long row = orders.find(order);
    long customer = memory.read(row + A);
    long quantity = 0;
    long amount = 0;
    for (int i = 0; i < memory.read(row + B); i++) {
      long line = lines.find(lineKey(order, i));
      quantity += memory.read(line + B);
      amount += memory.read(line + C);
      lines.remove(lineKey(order, i));
      memory.free(line, scale.rowBytes);
    }
    newOrders.remove(order);
    ordersByCustomer.remove(byCustomer(customer, order));
    orders.remove(order);
    memory.free(row, scale.rowBytes);
    increase(customers.find(customer) + A, amount);
    increase(customers.find(customer) + B, quantity);
    increase(districts.find(district) + B, amount);
    increase(root + YTD, amount);
  }

  /// Delivers all orders.
  @Override
  public void clear() {
    for (long order = newOrders.from(1); order != 0; order = newOrders.from(1)) {
      section(DELIVER, order >>> DISTRICT_SHIFT);
    }
  }

  /// The rows of a table that has its own, by their keys.
  ///
  /// @param content gets their words
  private NavigableMap<Long, Long> rows(WordTree table, List<Long> content) {
    NavigableMap<Long, Long> rows = table.entries();
    rows.forEach(
        (key, row) -> {
          for (long at = 0; at < scale.rowBytes; at += Long.BYTES) {
            boolean isColumn = at >= A && at < FILLER_AT;
            require(isColumn || memory.read(row + at) == key, "TPCC-6: row=%x, at=%d", key, at);
          }
          content.addAll(
              List.of(key, memory.read(row + A), memory.read(row + B), memory.read(row + C)));
        });
    return rows;
  }

  private long sum(Map<Long, Long> rows, int column) {
    return rows.values().stream().mapToLong(row -> memory.read(row + column)).sum();
  }

  private static NavigableMap<Long, Long> of(long district, NavigableMap<Long, Long> rows) {
    return rows.subMap(orderKey(district, 0), true, orderKey(district + 1, 0), false);
  }

  @Override
  public List<Long> content() {
    List<Long> content = new ArrayList<>();
    rows(items, content);
    NavigableMap<Long, Long> customerRows = rows(customers, content);
    NavigableMap<Long, Long> orderRows = rows(orders, content);
    NavigableMap<Long, Long> districtRows = rows(districts, content);
    districtRows.forEach(
        (district, row) -> {
          long paid = sum(of(district, customerRows), A);
          require(paid == memory.read(row + B), "TPCC-3: district=%d, paid=%d", district, paid);
          checkNumbers(of(district, orderRows), memory.read(row + A));
        });
    require(sum(districtRows, B) == memory.read(root + YTD), "TPCC-3: warehouse");
    require(newOrders.entries().equals(orderRows), "TPCC-4: new orders, orders=%s", orderRows);
    NavigableMap<Long, Long> lineRows = rows(lines, content);
    checkOrders(orderRows, lineRows);
    long ordered = sum(lineRows, B) + sum(customerRows, B);
    long fromStock = sum(rows(stock, content), B);
    require(ordered == fromStock, "TPCC-6: ordered=%d, stock=%d", ordered, fromStock);
    return content;
  }

  private static void checkNumbers(NavigableMap<Long, Long> ofDistrict, long next) {
    if (!ofDistrict.isEmpty()) {
      long first = number(ofDistrict.firstKey());
      long last = number(ofDistrict.lastKey());
      require(
          last == next - 1 && last - first + 1 == ofDistrict.size(),
          "TPCC-4: next=%d, first=%d, last=%d, orders=%d",
          next,
          first,
          last,
          ofDistrict.size());
    }
  }

  private void checkOrders(Map<Long, Long> orderRows, Map<Long, Long> lineRows) {
    Map<Long, Long> index = new TreeMap<>();
    Set<Long> lineKeys = new HashSet<>();
    orderRows.forEach(
        (order, row) -> {
          index.put(byCustomer(memory.read(row + A), order), row);
          for (int i = 0; i < memory.read(row + B); i++) {
            lineKeys.add(lineKey(order, i));
          }
        });
    require(ordersByCustomer.entries().equals(index), "TPCC-5: index, orders=%s", index);
    require(lineRows.keySet().equals(lineKeys), "TPCC-5: lines=%s", lineRows.keySet());
  }

  @Override
  public int blocks() {
    int rows = 0;
    for (WordTree table : List.of(districts, customers, items, stock, orders, lines)) {
      rows += table.entries().size();
    }
    return 1 + tables.stream().mapToInt(WordTree::nodes).sum() + rows;
  }
}
