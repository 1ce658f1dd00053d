package io.holdfast.core.section.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// The JFR event of a section that has stored in two regions ({@link TwoStoresWatch}), with the
/// stack of its end.
@Name("io.holdfast.TwoStores")
@Label("Section of Two Stores")
@Description("A section has stored in two stores: it is atomic in each of them by itself")
@Category("Holdfast")
final class TwoStoresEvent extends Event {
  @Label("Region")
  String region;

  @Label("Other Region")
  String otherRegion;
}
