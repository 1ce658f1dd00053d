/// What the kill loops run: a class for each {@link io.holdfast.stress.kill.Workload}, on a base
/// class where several have a model in common ({@link io.holdfast.stress.workload.Transfer}, {@link
/// io.holdfast.stress.workload.Stream}, {@link io.holdfast.stress.workload.KeyedChanges}). A new
/// collection adds its classes to {@link io.holdfast.stress.workload.Workloads}.
package io.holdfast.stress.workload;
