/// What an operator needs of a region that is not in use: inspect, verify, salvage, compact, back
/// up, export. Recovery itself is not here: a region recovers when it is opened.
package io.holdfast.recovery;
