package io.holdfast.agent;

import java.util.List;

/// What was woven into a method, or was recognized and left out.
///
/// @param owner of the method, an internal name
/// @param descriptor of the method
/// @param sites in the order of the code
record WovenMethod(String owner, String name, String descriptor, List<Site> sites) {
  /// A place in a method.
  ///
  /// @param what more exactly: the method called, the field; empty if the construct says it all
  /// @param line of the source, or -1 if the class file does not tell
  /// @param releases whether others may see there what the thread did: in a store that is opened
  ///   with `Regions.SYNCHRONIZATION_FREE` it ends a section
  record Site(Construct construct, String what, int line, boolean releases) {
    @Override
    public String toString() {
      return construct + (what.isEmpty() ? "" : " " + what) + (line < 0 ? "" : " in line " + line);
    }
  }

  WovenMethod {
    sites = List.copyOf(sites);
  }

  int count(Construct construct) {
    return (int) sites.stream().filter(site -> site.construct() == construct).count();
  }
}
