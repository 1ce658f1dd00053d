package com.example.jobs;

/// A job that was given up.
///
/// @param reason of its last failure
public record DeadLetter(Job job, String reason) {}
