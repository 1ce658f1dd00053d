/// Churn for long: nothing may be lost, and nothing may grow that has no reason to.
package io.holdfast.stress.soak;
