/// What every layer names: the failure that a region is opened for ([Durability]), the exceptions,
/// and what recovery reports. It uses no other package of Holdfast.
package io.holdfast.core;
