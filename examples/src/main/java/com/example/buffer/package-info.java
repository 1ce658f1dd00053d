/// A bounded buffer with `wait` and `notifyAll`: what is produced is consumed once, in its order.
package com.example.buffer;
