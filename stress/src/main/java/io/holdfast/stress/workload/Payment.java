package io.holdfast.stress.workload;

/// An order to move an amount between the two maps of {@link Books}. Thread and number alone say
/// what it is, so that whoever knows which payments were made knows what every account must have.
///
/// @param thread that orders it
/// @param number of that thread's payments, from 1 on
/// @param amount what goes from `giro` to `savings`; if it is negative, back; never 0
record Payment(int thread, long number, int account, long amount) {
  private static final int NUMBER_BITS = 40;
  private static final int AMOUNT_MAX = 40;

  static Payment of(int thread, long number) {
    long mixed = (number * 0x9E3779B97F4A7C15L + thread) * 0xBF58476D1CE4E5B9L >>> 20;
    long amount = 1 + mixed % AMOUNT_MAX;
    int account = (int) (mixed / 1_000 % Books.ACCOUNTS);
    return new Payment(thread, number, account, mixed / 100_000 % 2 == 0 ? amount : -amount);
  }

  /// Unlike that of any other; ordered by thread and number.
  long key() {
    return (long) thread << NUMBER_BITS | number;
  }

  static Payment ofKey(long key) {
    return of((int) (key >>> NUMBER_BITS), key & (1L << NUMBER_BITS) - 1);
  }
}
