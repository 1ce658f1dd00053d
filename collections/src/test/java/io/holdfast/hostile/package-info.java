/// Files that were damaged, or never were regions: none may harm the process that opens it.
package io.holdfast.hostile;
