package io.holdfast;

import java.time.Instant;

/// An id in the order in which calls were finished: the oldest are forgotten first.
record Finished(String id, Instant when) {}
