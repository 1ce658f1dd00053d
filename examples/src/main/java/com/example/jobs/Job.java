package com.example.jobs;

/// Something to do.
///
/// @param id of the job: the same id is done once
/// @param text what is to be done
/// @param failures how often it was tried in vain
public record Job(String id, String text, int failures) {
  Job failedAgain() {
    return new Job(id, text, failures + 1);
  }
}
