/// The same work by sections and by hand-written code, as Atlas compares itself (6.3, Figures 7(b)
/// and 7(c)): {@link io.holdfast.jmh.byhand.Copies} of bytes, and a list that elements are inserted
/// into, {@link io.holdfast.jmh.byhand.Insertions}. {@link io.holdfast.jmh.byhand.Way} says who
/// sees to it that a crash leaves an operation whole or not at all; each has its {@link
/// io.holdfast.jmh.byhand.Area} of memory. By hand that are {@link
/// io.holdfast.jmh.byhand.RedoneCopies} and {@link io.holdfast.jmh.byhand.PublishedInsertions}.
package io.holdfast.jmh.byhand;
