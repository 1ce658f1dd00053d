/// The persistent map on media: the single-trip set of the CSO paper (section 4), in stripes, with
/// its index in the file.
///
/// In reading order: {@link io.holdfast.collections.map.MapLayout} (tables and invariants), {@code
/// SlotClass}, {@code Slots} (entries in slots), {@code StripeIndex}, {@code FreeSlots}, {@code
/// Stripe} (operations, in and outside of sections), {@code StripeRebuild}, {@link
/// io.holdfast.collections.map.EntryMap} (all stripes). Keys and values are encoded bytes here.
package io.holdfast.collections.map;
