/// The front door: {@link io.holdfast.Holdfast} opens a store and hands out its collections.
package io.holdfast;
