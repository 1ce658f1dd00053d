/// The front door: opening a region, its options, and the annotations. Start here as a user.
package io.holdfast;
