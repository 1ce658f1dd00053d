package io.holdfast.jmh.atlas;

/// An order of TPC-C that a drawn number stands for (2.4.1), and what it takes from the stock
/// (2.4.2.2). All programs draw the same.
///
/// @param district from 0 on
/// @param lines of the order
/// @param items that there are; 37 and their number have no common divisor
record TpccOrder(int district, int lines, int firstItem, int items) {
  static final int DISTRICTS = 10, ITEMS = 1_000;
  static final int LINES_MIN = 5, LINES_MAX = 15;
  private static final int QUANTITY_MAX = 10;
  private static final int RESTOCKED = 91;

  static TpccOrder of(long draw, int districts, int items, int linesMin, int linesMax) {
    return new TpccOrder(
        OneLock.below(draw, districts),
        linesMin + OneLock.below(draw >>> 7 | draw << 57, linesMax - linesMin + 1),
        OneLock.below(draw >>> 14 | draw << 50, items),
        items);
  }

  /// The item of a line, from 0 on; no two lines have the same.
  long item(int line) {
    return (firstItem + 37 * line) % items;
  }

  long quantity(int line) {
    return 1 + (item(line) + line) % QUANTITY_MAX;
  }

  static long price(long item) {
    return item % 100 + 1;
  }

  /// Takes a quantity from the three words of an item's stock: what is left, ever ordered, orders.
  ///
  /// @return what is left
  static long take(ProgramMemory memory, long stock, long quantity) {
    long left = memory.read(stock) - quantity;
    if (left + RESTOCKED < QUANTITY_MAX) {
      left += RESTOCKED;
    }
    memory.write(stock, left);
    memory.write(stock + 8, memory.read(stock + 8) + quantity);
    memory.write(stock + 16, memory.read(stock + 16) + 1);
    return left;
  }
}
