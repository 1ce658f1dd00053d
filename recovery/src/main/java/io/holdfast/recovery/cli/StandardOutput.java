package io.holdfast.recovery.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;

/// Standard output, which remembers that something could not be written there: a {@link
/// PrintWriter} tells nobody, and `export` to a full disk would end as if all were there.
///
/// For one thread.
final class StandardOutput extends OutputStream {
  private final OutputStream out;
  private IOException failure;

  StandardOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    try {
      out.write(bytes, offset, count);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /// The exit code of a command that has printed everything. If not all of it arrived, prints the
  /// reason, unless a reader such as `head` has closed the pipe: then the code alone tells.
  ///
  /// @param exitCode that of the command
  int exitCode(int exitCode, PrintWriter err) {
    if (failure == null) {
      return exitCode;
    }
    if (!"Broken pipe".equals(failure.getMessage())) {
      err.println("holdfast: standard output: not all could be written: " + failure.getMessage());
      err.println("next: df -h");
      err.flush();
    }
    return exitCode == ExitCode.SOUND.number() ? ExitCode.INCOMPLETE.number() : exitCode;
  }
}
