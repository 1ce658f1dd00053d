package io.holdfast.core.section.commit;

/// What the JVM throws for an access to a mapped page that the system could not do (FAULT-1): an
/// `InternalError` that names neither the page nor the mapping. Compiled code throws it late, so it
/// can come out of the caller's code for an access of ours, and the other way round.
///
/// **FAULT-3** A fault that comes out of the caller's code, while the region's file can be read as
/// a whole, is another library's, and does not latch the store. One that comes out of Holdfast's
/// code latches it, whoever made the access: an operation is cut off halfway. Test:
/// AnothersFaultTest.
public final class MemoryFault {
  private static final String OURS = "io.holdfast.";

  private MemoryFault() {}

  public static boolean is(Throwable error) {
    return error instanceof InternalError
        && error.getMessage() != null
        && error.getMessage().contains("unsafe memory access");
  }

  /// Whether it comes out of the code of a program, or of another library, that Holdfast has
  /// called.
  public static boolean isOutOfCallersCode(Throwable fault) {
    for (StackTraceElement frame : fault.getStackTrace()) {
      String name = frame.getClassName();
      boolean isJdks =
          name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
      if (!isJdks) {
        return !name.startsWith(OURS);
      }
    }
    return false;
  }
}
