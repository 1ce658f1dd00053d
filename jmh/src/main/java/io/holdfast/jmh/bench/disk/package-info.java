/// What it costs to survive a loss of power on an ordinary disk, beside others that do.
package io.holdfast.jmh.bench.disk;
