/// An outbox: what goes to the outside world goes there once in effect, whatever is killed. An
/// order and the request that it causes are one transaction; the request is sent until the service
/// has answered, with a key by which the service knows it again.
package com.example.outbox;
