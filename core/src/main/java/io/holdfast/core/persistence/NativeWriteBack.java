package io.holdfast.core.persistence;

import java.lang.invoke.MethodHandle;
import java.util.List;

/// Write-back by the native calls that this process has chosen, once and for all.
///
/// The handles are constants, which lets the compiler put the call where it is made.
final class NativeWriteBack extends WriteBack {
  /// What was chosen.
  static final NativeChoice CHOICE =
      NativeChoice.of(
          List.of(
              new NativeChoice.Candidate("machine code", MachineCode::load),
              new NativeChoice.Candidate("libpmem", NativeCalls::ofLibpmem)));

  /// To be used if {@link #CHOICE} has calls.
  static final WriteBack INSTANCE = new NativeWriteBack();

  private static final MethodHandle WRITE_BACK =
      CHOICE.isAvailable() ? CHOICE.calls().writeBack() : null;
  private static final MethodHandle FENCE = CHOICE.isAvailable() ? CHOICE.calls().fence() : null;

  private NativeWriteBack() {}

  @Override
  void writeBack(long address, long length) {
    try {
      WRITE_BACK.invokeExact(address, length);
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws nothing
    }
  }

  @Override
  void fence() {
    try {
      FENCE.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws nothing
    }
  }
}
