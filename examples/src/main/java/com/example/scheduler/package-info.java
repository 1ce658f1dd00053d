/// A scheduler with a ReentrantLock and conditions: each job waits, runs or is done.
package com.example.scheduler;
