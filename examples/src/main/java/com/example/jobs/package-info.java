/// A job queue with workers, retries and dead letters, in one file: what is acknowledged is done,
/// each job once, whatever is killed. It needs neither the agent nor a lock.
package com.example.jobs;
