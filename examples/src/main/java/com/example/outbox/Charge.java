package com.example.outbox;

/// A request to the payment service.
///
/// @param key the order's; the service makes one charge for a key, however often it is asked
record Charge(String key, long cents) {}
