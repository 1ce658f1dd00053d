/// Domains that make of a medium another one, to be compared with it.
package io.holdfast.jmh.domain;
