/// Calls that are made later, and survive a kill until they were: Holdfast's and, with the profile
/// `peers`, a scheduler's over a database.
package io.holdfast.jmh.call;
