package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The instructions that write a cache line back, of the processors that Holdfast knows, as two
/// functions of the C calling convention, like libpmem's: `writeBack(address, length)` for all
/// lines from an address, a line's first, on; and `fence()`.
///
/// | instructions | needs | what they do with the line |
/// |---|---|---|
/// | `clwb`, `sfence` | x86-64, flag `clwb` | write it back and keep it |
/// | `clflushopt`, `sfence` | x86-64, flag `clflushopt` | write it back and drop it |
/// | `clflush`, `sfence` | any x86-64 | the same, one after the other |
/// | `dc cvap`, `dsb sy` | AArch64, flag `dcpop` | clean it to the point of persistence |
/// | `dc cvac`, `dsb sy` | any AArch64 | clean it to the point of coherency, which is as far on machines whose memory is behind it |
///
/// The encodings are those of Intel's SDM (volume 2) and of Arm's ARM (DDI 0487, C5 and C6). Lines
/// have 64 bytes; on a machine with longer ones some are written back twice.
record MachineCode(String name, byte[] writeBack, byte[] fence) {
  static final MachineCode CLWB = x86("clwb", 0x66, 0x0F, 0xAE, 0x37);
  static final MachineCode CLFLUSHOPT = x86("clflushopt", 0x66, 0x0F, 0xAE, 0x3F);
  static final MachineCode CLFLUSH = x86("clflush", 0x0F, 0xAE, 0x3F);
  static final MachineCode DC_CVAP = aarch64("dc cvap", 0xD50B7C20);
  static final MachineCode DC_CVAC = aarch64("dc cvac", 0xD50B7A20);

  /// `rdi` is the address, `rsi` the length and then the end.
  static MachineCode x86(String name, int... instruction) {
    int back = -(instruction.length + 4 + 3 + 2);
    ByteBuffer code = ByteBuffer.allocate(32);
    put(code, 0x48, 0x01, 0xFE); // add rsi, rdi
    put(code, instruction); // [rdi]
    put(code, 0x48, 0x83, 0xC7, PersistenceDomain.LINE_BYTES); // add rdi, 64
    put(code, 0x48, 0x39, 0xF7); // cmp rdi, rsi
    put(code, 0x72, back & 0xFF); // jb to the write-back
    put(code, 0xC3); // ret
    return new MachineCode(
        name, bytes(code), new byte[] {0x0F, (byte) 0xAE, (byte) 0xF8, (byte) 0xC3}); // sfence; ret
  }

  private static void put(ByteBuffer code, int... bytes) {
    for (int each : bytes) {
      code.put((byte) each);
    }
  }

  /// `x0` is the address, `x1` the length and then the end.
  private static MachineCode aarch64(String name, int instruction) {
    ByteBuffer code = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    code.putInt(0x8B000021); // add x1, x1, x0
    code.putInt(instruction); // , x0
    code.putInt(0x91010000); // add x0, x0, #64
    code.putInt(0xEB01001F); // cmp x0, x1
    code.putInt(0x54FFFFA3); // b.lo to the write-back
    code.putInt(0xD65F03C0); // ret
    ByteBuffer fence = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    fence.putInt(0xD5033F9F); // dsb sy
    fence.putInt(0xD65F03C0); // ret
    return new MachineCode(name, bytes(code), bytes(fence));
  }

  private static byte[] bytes(ByteBuffer code) {
    byte[] bytes = new byte[code.position()];
    code.flip().get(bytes);
    return bytes;
  }

  /// The best code for a processor.
  ///
  /// @param architecture as in the system property `os.arch`
  /// @param flags what the processor can do, in the kernel's words
  /// @throws UnsupportedOperationException if none is known for the architecture
  static MachineCode of(String architecture, Set<String> flags) {
    return switch (architecture) {
      case "amd64", "x86_64" ->
          flags.contains("clwb") ? CLWB : flags.contains("clflushopt") ? CLFLUSHOPT : CLFLUSH;
      case "aarch64" -> flags.contains("dcpop") ? DC_CVAP : DC_CVAC;
      default ->
          throw new UnsupportedOperationException(
              "no instructions are known for the processor %s".formatted(architecture));
    };
  }

  /// Puts the best code for this machine where it can be called.
  ///
  /// @throws IllegalCallerException if native access is denied to this module
  /// @throws UnsupportedOperationException if none is known, or the system refuses the page
  static NativeCalls load() throws Throwable {
    return ofThisMachine().loadInto(new ExecutablePage());
  }

  NativeCalls loadInto(ExecutablePage page) throws Throwable {
    MemorySegment writeBackAt = page.add(writeBack);
    MemorySegment fenceAt = page.add(fence);
    page.makeExecutable();
    return NativeCalls.of(name, writeBackAt, fenceAt);
  }

  /// The best code for this machine. What the processor can do is asked of the kernel, which also
  /// knows what it has switched off, rather than of the processor.
  static MachineCode ofThisMachine() {
    return of(System.getProperty("os.arch").toLowerCase(Locale.ROOT), flags());
  }

  private static Set<String> flags() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("flags") || line.startsWith("Features"))
          .limit(1)
          .flatMap(line -> Stream.of(line.substring(line.indexOf(':') + 1).strip().split(" ")))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      return Set.of(); // the oldest instructions will do
    }
  }
}
