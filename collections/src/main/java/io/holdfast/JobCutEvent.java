package io.holdfast;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// The JFR event of a cut, which lasts from the cut before, or the beginning of the body, to its
/// end.
@Name("io.holdfast.JobCut")
@Label("Cut of a Job")
@Description("What a job did since its last cut became one transaction, with the job's state")
@Category("Holdfast")
@Threshold("0 ms")
@StackTrace(false)
final class JobCutEvent extends Event {
  @Label("Store")
  String store;

  @Label("Job")
  String job;

  @Label("Cuts")
  @Description("Of this job so far")
  long cuts;

  @Label("Changes")
  @Description("Of elements of collections since the last cut")
  long changes;

  @Label("Finished")
  @Description("Whether the body has returned")
  boolean isFinished;
}
