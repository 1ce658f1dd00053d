package io.holdfast.recovery.cli;

import io.holdfast.recovery.Progress;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// Progress as a bar with rate and time left on standard error, if that is a terminal's; else
/// silence, so that scripts and files see results alone.
final class ProgressBars implements Progress {
  private ProgressBars() {}

  static Progress ofTerminal() {
    return System.console() == null || !System.console().isTerminal()
        ? Progress.NONE
        : new ProgressBars();
  }

  @Override
  public Task begin(String what, long total, String unit) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(what)
            .setInitialMax(total)
            .setUnit(" " + unit, 1)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .build();
    return new Task() {
      @Override
      public void advance(long by) {
        bar.stepBy(by);
      }

      @Override
      public void close() {
        bar.close();
      }
    };
  }
}
