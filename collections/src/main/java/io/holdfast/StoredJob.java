package io.holdfast;

import java.time.Instant;

/// How far a job has come, as it is stored; see {@link Job.Progress}.
///
/// @param cut when it was cut for the last time; when it was first called, if it was not
record StoredJob<S>(
    S state, boolean finished, Instant started, Instant cut, long cuts, long changes) {}
