package io.holdfast.collections.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.RawCodec;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The layout of format version 1, byte for byte, and what is said of one that is damaged.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // a loop hears no interrupt
class QueueLayoutTest {
  private RecordingMemory memory;
  private Region region;
  private long root;

  @BeforeEach
  void create() {
    memory = new RecordingMemory();
    region = Region.open(memory, 1 << 20);
    inSection(() -> root = QueueChain.create(region));
  }

  @AfterEach
  void close() {
    region.close();
  }

  private static void inSection(Runnable action) {
    SectionHooks.enter();
    try {
      action.run();
    } finally {
      SectionHooks.exit();
    }
  }

  private QueueChain<String> open() {
    return new QueueChain<>(region, RawCodec.RAW, root);
  }

  private static EncodedOutput encoded(String element) {
    EncodedOutput output = new EncodedOutput();
    RawCodec.RAW.encode(element, output);
    return output;
  }

  private void add(int... lengths) {
    QueueTail tail = open().tail();
    Sections sections = region.sections();
    for (int length : lengths) {
      inSection(() -> tail.add(sections.current(), encoded(RawCodec.text("e", length)), tail));
    }
  }

  private long word(long offset) {
    return memory.readPlain(offset);
  }

  private long block() {
    return QueueLayout.blockOf(word(root + QueueLayout.HEAD));
  }

  private String line(long block, int line) {
    byte[] bytes = new byte[64];
    memory.readBytes(QueueLayout.lineOffset(block, line), bytes, 0, 64);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void sizesAndOffsetsOfVersionOne() {
    assertThat(QueueLayout.ROOT_BYTES).isEqualTo(128);
    assertThat(List.of(QueueLayout.HEAD, QueueLayout.REMOVED_COUNT, QueueLayout.TAIL))
        .containsExactly(0, 8, 64);
    assertThat(QueueLayout.BLOCK_LINES).isEqualTo(127);
    assertThat(QueueLayout.BLOCK_BYTES).isEqualTo(8_128);
    assertThat(List.of(QueueLayout.NEXT, QueueLayout.FIRST_NUMBER, QueueLayout.FIRST_LINE))
        .containsExactly(0, 8, 1);
    assertThat(QueueLayout.MAX_INLINE_BYTES).isEqualTo(1_912);
    assertThat(QueueLayout.meta(0x12345678, false)).isEqualTo(0x1234567801L);
    assertThat(QueueLayout.meta(7, true)).isEqualTo(0x705);
    assertThat(QueueLayout.REMOVED).isEqualTo(2);
    assertThat(QueueLayout.position(0x20080, 126)).isEqualTo(0x200807e);
  }

  @Test
  void linesOfAnElement() {
    assertThat(QueueLayout.lines(0)).isEqualTo(1);
    assertThat(QueueLayout.lines(56)).isEqualTo(1);
    assertThat(QueueLayout.lines(57)).isEqualTo(2);
    assertThat(QueueLayout.lines(1_912)).isEqualTo(30);
    assertThat(QueueLayout.lines(QueueLayout.meta(5_000, true))).isEqualTo(1);
    long largest = QueueLayout.meta(Integer.MAX_VALUE, true);
    assertThat(QueueLayout.length(largest)).isEqualTo(Integer.MAX_VALUE);
    assertThat(QueueLayout.isOutside(largest)).isTrue();
    assertThat(QueueLayout.isRemoved(largest)).isFalse();
    assertThat(QueueLayout.isRemoved(largest | QueueLayout.REMOVED)).isTrue();
  }

  @Test
  void bytesOfAQueue() {
    long block = block();
    assertThat(word(root + 8)).isZero();
    assertThat(word(root + 64)).isEqualTo(block);
    assertThat(word(root)).isEqualTo(block << 8 | 1);
    QueueTail tail = open().tail();
    inSection(() -> tail.add(region.sections().current(), encoded("abc"), tail));
    inSection(
        () ->
            tail.add(region.sections().current(), encoded(RawCodec.text("outside", 2_000)), tail));
    assertThat(line(block, 0)).isEqualTo("0".repeat(128));
    assertThat(line(block, 1)).isEqualTo("0103000000000000" + "616263" + "0".repeat(106));
    long outside = word(QueueLayout.lineOffset(block, 2) + 8);
    assertThat(word(QueueLayout.lineOffset(block, 2))).isEqualTo(2_000L << 8 | 5);
    assertThat(region.heap().checkBlock(outside, 2_000, "bytes")).isNotEqualTo(block);
    assertThat(word(QueueLayout.lineOffset(block, 3))).isZero();
  }

  /// QUEUE-2: each block knows its first element's number, and opening counts from two of them.
  @Test
  void queue2NumbersOfBlocks() {
    add(new int[300]);
    long first = block();
    long second = word(first + QueueLayout.NEXT);
    long third = word(second + QueueLayout.NEXT);
    assertThat(word(third + QueueLayout.NEXT)).isZero();
    assertThat(word(root + QueueLayout.TAIL)).isEqualTo(third);
    assertThat(word(first + QueueLayout.FIRST_NUMBER)).isZero();
    assertThat(word(second + QueueLayout.FIRST_NUMBER)).isEqualTo(126);
    assertThat(word(third + QueueLayout.FIRST_NUMBER)).isEqualTo(252);
    assertThat(open().sizeAtOpening()).isEqualTo(300);
  }

  // Damage.

  private interface Damage {
    void to(QueueLayoutTest queue);
  }

  private static Arguments damage(String name, ToLongFunction<QueueLayoutTest> where, long value) {
    return damage(name, where, queue -> value);
  }

  private static Arguments damage(
      String name, ToLongFunction<QueueLayoutTest> where, ToLongFunction<QueueLayoutTest> value) {
    Damage damage =
        queue -> queue.memory.damage(where.applyAsLong(queue), value.applyAsLong(queue));
    return Arguments.of(name, damage);
  }

  static List<Arguments> damages() {
    return List.of(
        damage("HEAD outside", q -> q.root, 1L << 50),
        damage("HEAD in the header", q -> q.root, 1),
        damage("HEAD at line 0", q -> q.root, -1L << 8 & 0xffff),
        damage("HEAD not aligned", q -> q.root, 0x200803L << 8 | 1),
        damage("TAIL outside", q -> q.root + 64, 1L << 50),
        damage("TAIL in a block that is not the last", q -> q.root + 64, q -> q.block()),
        damage("TAIL 0", q -> q.root + 64, 0),
        damage("REMOVED below 0", q -> q.root + 8, -1),
        damage("REMOVED too many", q -> q.root + 8, 500),
        damage("REMOVED another", q -> q.root + 8, 1),
        damage("NEXT outside", q -> q.block(), 1L << 50),
        damage("NEXT 0 before the tail", q -> q.block(), 0),
        damage("NEXT itself", q -> q.block(), q -> q.block()),
        damage("NEXT itself, at the tail", q -> q.word(q.block()), q -> q.word(q.block())),
        damage("NEXT in a cycle", q -> q.word(q.block()), q -> q.block()),
        damage("number of the first block", q -> q.block() + 8, 77),
        damage("number of the next block", q -> q.word(q.block()) + 8, 77),
        damage("element not present", q -> q.block() + 64, 2),
        damage("element over the block's end", q -> q.block() + 126 * 64, 100 << 8 | 1),
        damage("element longer than the chain's", q -> q.block() + 64, 5_000 << 8 | 1),
        damage("element of negative length", q -> q.block() + 64, -1L << 8 | 1),
        damage("element outside of the region", q -> q.block() + 2 * 64 + 8, 1L << 40),
        damage("element in the header", q -> q.block() + 2 * 64 + 8, 0),
        damage("element beyond the end", q -> q.block() + 2 * 64, 0x7fffffffL << 8 | 5),
        damage("end in the middle", q -> q.block() + 5 * 64, 0));
  }

  /// Whatever is wrong is an exception that names the region, when the queue is opened or when it
  /// is validated. Nothing else is thrown, and nothing runs for ever.
  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void p8DamageIsNamed(String name, Damage damage) {
    int[] lengths = new int[200];
    lengths[1] = 3_000;
    add(lengths);
    assertThat(open().validate()).isEqualTo(200);
    damage.to(this);
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> open().validate())
        .withMessageStartingWith("recorded: ")
        .withMessageContaining("offset=0x")
        .withMessageEndingWith("estore it from a backup");
  }

  /// Numbers of a queue that nobody can have filled so far: refused before they overflow.
  @Test
  void p8NumbersNearTheirEnd() {
    add(new int[300]);
    for (long first : new long[] {0, 1L << 61, (1L << 62) - 300}) {
      numberFrom(first);
      assertThat(open().validate()).isEqualTo(300);
    }
    for (long first : new long[] {-1, (1L << 62) - 299, Long.MAX_VALUE - 200, Long.MIN_VALUE}) {
      numberFrom(first);
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(this::open)
          .withMessageContaining("a queue has count=300 elements from number=" + first);
    }
  }

  private void numberFrom(long first) {
    long number = first;
    for (long block = block(); block != 0; block = word(block + QueueLayout.NEXT)) {
      memory.damage(block + QueueLayout.FIRST_NUMBER, number);
      number += 126;
    }
  }

  /// Two blocks of removed elements that follow each other for ever: taking ends all the same.
  ///
  /// Shows CHAIN-1.
  @Test
  void p8CycleOfRemovedElements() {
    add(new int[300]);
    QueueChain<String> chain = open();
    QueueWalk<String> walk = chain.walk();
    for (int i = 0; i < 2 * 126; i++) {
      assertThat(walk.advance()).isTrue();
      inSection(
          () ->
              chain
                  .head()
                  .mark(region.sections().current(), walk.place().position(), chain.head()));
    }
    assertThat(chain.validate()).isEqualTo(48);
    memory.damage(word(block()), block());
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> open().head().first())
        .withMessageStartingWith(
            "recorded: the region is damaged: a queue's block whose number does not follow");
  }

  /// Links that lead to a block which a deletion has freed before, or will: another's bytes, the
  /// chain's block, the root.
  @Test
  void p8BlocksFreedTwice() {
    List<ToLongFunction<QueueLayoutTest>> twice =
        List.of(
            queue -> queue.word(queue.block() + 64 + 8),
            QueueLayoutTest::block,
            queue -> word(queue.block()),
            queue -> queue.root);
    for (ToLongFunction<QueueLayoutTest> block : twice) {
      int[] lengths = new int[200];
      Arrays.fill(lengths, 0, 2, 3_000);
      inSection(() -> root = QueueChain.create(region));
      add(lengths);
      memory.damage(block() + 2 * 64, QueueLayout.meta(16, true));
      memory.damage(block() + 2 * 64 + 8, block.applyAsLong(this));
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(() -> inSection(() -> new QueueDisposal(region, root).freeSome(1_000)))
          .withMessageContaining("what is freed is not an allocated block: offset=0x");
    }
  }

  /// Any word with any content: what is thrown is ours, or the queue is whole.
  @Test
  void p8RandomDamage() {
    int[] lengths = new int[200];
    lengths[1] = 3_000;
    add(lengths);
    List<Long> words = new ArrayList<>(List.of(root, root + 8, root + 64));
    long second = word(block());
    for (int line = 0; line < 127; line++) {
      words.add(block() + line * 64L);
      words.add(block() + line * 64L + 8);
      words.add(second + line * 64L);
    }
    for (long seed = 1; seed <= 2_000; seed++) {
      Random random = new Random(seed);
      long offset = words.get(random.nextInt(words.size()));
      long before = word(offset);
      long value = random.nextBoolean() ? random.nextLong() >>> random.nextInt(64) : before;
      memory.damage(offset, value ^ 1L << random.nextInt(64));
      assertThatCode(this::openOrRefuse).as("seed=%d, offset=0x%X", seed, offset).isNull();
      memory.damage(offset, before);
    }
    assertThat(open().validate()).isEqualTo(200);
  }

  private void openOrRefuse() {
    try {
      open().validate();
    } catch (RegionDamagedException e) {
      // As it should.
    }
  }
}
