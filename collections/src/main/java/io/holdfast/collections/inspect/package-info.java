/// How collections are looked at as a whole, by tools: {@link
/// io.holdfast.collections.inspect.Inspector} is told of each block and each fault, {@link
/// io.holdfast.collections.inspect.Trail} says where that is.
package io.holdfast.collections.inspect;
