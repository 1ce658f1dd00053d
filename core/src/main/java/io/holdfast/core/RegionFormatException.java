package io.holdfast.core;

/// The file is not a region that this version can open: another kind of file, or a region written
/// by a newer version. It was not touched.
public final class RegionFormatException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public RegionFormatException(String message) {
    super(message);
  }
}
