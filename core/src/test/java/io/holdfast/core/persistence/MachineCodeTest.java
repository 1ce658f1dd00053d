package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The bytes are those of an assembler (GNU as: `add %rdi, %rsi; 1: clwb (%rdi); add $64, %rdi; cmp
/// %rsi, %rdi; jb 1b; ret`, and for AArch64 `add x1, x1, x0; 1: dc cvap, x0; add x0, x0, #64; cmp
/// x0, x1; b.lo 1b; ret`).
class MachineCodeTest {
  private static String hex(byte[] code) {
    return HexFormat.of().formatHex(code);
  }

  @Test
  void x86() {
    assertThat(hex(MachineCode.CLWB.writeBack()))
        .isEqualTo("4801fe" + "660fae37" + "4883c740" + "4839f7" + "72f3" + "c3");
    assertThat(hex(MachineCode.CLFLUSHOPT.writeBack()))
        .isEqualTo("4801fe" + "660fae3f" + "4883c740" + "4839f7" + "72f3" + "c3");
    assertThat(hex(MachineCode.CLFLUSH.writeBack()))
        .isEqualTo("4801fe" + "0fae3f" + "4883c740" + "4839f7" + "72f4" + "c3");
    assertThat(hex(MachineCode.CLWB.fence())).isEqualTo("0faef8" + "c3");
  }

  @Test
  void aarch64() {
    String loop = "00000191" + "1f0001eb" + "a3ffff54" + "c0035fd6";
    assertThat(hex(MachineCode.DC_CVAP.writeBack())).isEqualTo("2100008b" + "207c0bd5" + loop);
    assertThat(hex(MachineCode.DC_CVAC.writeBack())).isEqualTo("2100008b" + "207a0bd5" + loop);
    assertThat(hex(MachineCode.DC_CVAC.fence())).isEqualTo("9f3f03d5" + "c0035fd6");
  }

  @ParameterizedTest
  @CsvSource({
    "amd64, sse clflushopt clwb, clwb",
    "amd64, sse clflushopt, clflushopt",
    "x86_64, sse, clflush",
    "aarch64, fp asimd dcpop, dc cvap",
    "aarch64, fp asimd, dc cvac"
  })
  void theBestInstructionIsTaken(String architecture, String flags, String name) {
    assertThat(MachineCode.of(architecture, Set.of(flags.split(" "))).name()).isEqualTo(name);
  }

  @Test
  void otherProcessorsAreRefused() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> MachineCode.of("riscv64", Set.of()))
        .withMessageContaining("riscv64");
  }

  /// The loop touches the lines of a range, all and no others: seen by an instruction that stores a
  /// byte in place of the write-back (`movb $1, (%rdi)`).
  @Test
  void theLoopTouchesEachLineOfARangeOnce() throws Throwable {
    assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");
    NativeCalls calls = MachineCode.x86("touch", 0xC6, 0x07, 0x01).loadInto(new ExecutablePage());
    try (Arena arena = Arena.ofConfined()) {
      for (int lines = 1; lines <= 6; lines++) {
        for (long length : new long[] {lines * 64L - 63, lines * 64L - 8, lines * 64L}) {
          MemorySegment memory = arena.allocate(640, 64);
          calls.writeBack().invokeExact(memory.address() + 64, length);
          for (int at = 0; at < 640; at++) {
            boolean isTouched = at % 64 == 0 && at >= 64 && at < 64 + lines * 64;
            assertThat(memory.get(ValueLayout.JAVA_BYTE, at))
                .as("byte %d of length=%d", at, length)
                .isEqualTo((byte) (isTouched ? 1 : 0));
          }
        }
      }
      calls.fence().invokeExact();
    }
  }

  /// Every instruction that this processor has can be run: an encoding that it does not know would
  /// end the JVM.
  @Test
  void theInstructionsRun() throws Throwable {
    MachineCode best = MachineCode.ofThisMachine();
    List<MachineCode> all =
        switch (best.name()) {
          case "clwb" -> List.of(MachineCode.CLWB, MachineCode.CLFLUSHOPT, MachineCode.CLFLUSH);
          case "clflushopt" -> List.of(MachineCode.CLFLUSHOPT, MachineCode.CLFLUSH);
          case "dc cvap" -> List.of(MachineCode.DC_CVAP, MachineCode.DC_CVAC);
          default -> List.of(best);
        };
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(640, 64);
      memory.fill((byte) 7);
      for (MachineCode code : all) {
        NativeCalls calls = code.loadInto(new ExecutablePage());
        calls.writeBack().invokeExact(memory.address(), 640L);
        calls.fence().invokeExact();
      }
      assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
    }
  }
}
