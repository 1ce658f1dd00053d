/// Three programs of STAMP (Cao Minh, Chung, Kozyrakis, Olukotun: STAMP, IISWC 2008), ported small
/// over a store's collections, with `transaction` where the originals have transactions: {@link
/// io.holdfast.jmh.stamp.Vacation}, {@link io.holdfast.jmh.stamp.Intruder}, {@link
/// io.holdfast.jmh.stamp.Ssca2}. {@link io.holdfast.jmh.stamp.StampKind} makes them.
package io.holdfast.jmh.stamp;
