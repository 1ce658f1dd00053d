/// The persistent map on media: the single-trip set of the CSO paper (section 4), in stripes, with
/// its index in the file.
///
/// In reading order: `slot` (`MapLayout`: tables and invariants; `SlotClass`; `Slots`, entries in
/// slots), `index` (`StripeIndex`), `write` (`Change`, what an operation does after its entry; the
/// writers; `Batches`; `StripeGarbage`), `word` (`WordLayout`: entries without slots), here
/// `StripeReader`, `StripeEntries` (what an operation does, one class for each layout), `Stripe`
/// (in and outside of sections), `Stripes` and {@link io.holdfast.collections.map.EntryMap} (all),
/// `repair`. Keys and values are encoded bytes here.
package io.holdfast.collections.map;
