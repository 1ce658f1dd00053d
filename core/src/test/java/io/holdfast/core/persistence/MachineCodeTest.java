package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HexFormat;
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
}
