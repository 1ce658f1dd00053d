/// The persistent map on media: the single-trip set of the CSO paper (section 4), in stripes, with
/// its index in the file.
///
/// In reading order: `MapLayout` (tables and invariants), `SlotClass`, `Slots` (entries in slots),
/// `Change` (what an operation does after its entry), `StripeIndex`, `StripeReader`, `Stripe`
/// (operations, in and outside of sections), `Batches`, `StripeRebuild`, `StripeGarbage`, {@link
/// io.holdfast.collections.map.EntryMap} (all stripes). Keys and values are encoded bytes here.
package io.holdfast.collections.map;
