package io.holdfast.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// The files of a disk in the middle of the calls that are made to it, of which a failure leaves an
/// image: after a cut of the power whatever may be there of each file and each name, and after the
/// end of the process all that it has written.
final class CutFiles {
  /// In a file of streams (`LiveFile`), the run of the system that wrote it.
  private static final int RUN = 16;

  private final Map<Path, CutFile> files = new TreeMap<>();
  private final int sectorBytes;

  /// @param sectorBytes of which a cut leaves all or nothing
  CutFiles(int sectorBytes) {
    this.sectorBytes = sectorBytes;
  }

  /// What a process had when it could have been killed last; `null` if it could not.
  private DiskCall killed;

  /// The call may have done any part of what it does.
  void begin(DiskCall call) {
    CutFile file = files.get(call.file());
    switch (call.kind()) {
      case CREATE -> {
        CutFile created = new CutFile(sectorBytes);
        created.isNamed = true;
        created.isNameDurable = file != null && file.isNameDurable;
        files.put(call.file(), created);
      }
      case DELETE -> file.isNamed = false;
      case WRITE, WRITE_DURABLY -> file.put(call.at(), call.bytes());
      case SET_LENGTH -> file.setLength((int) call.at());
      case KILLED -> killed = call;
      default -> {}
    }
  }

  /// The call has returned.
  void end(DiskCall call) {
    CutFile file = files.get(call.file());
    switch (call.kind()) {
      case KNOWN -> {
        CutFile known = new CutFile(sectorBytes);
        known.live = call.bytes();
        known.isNamed = true;
        known.isNameDurable = true;
        known.settle();
        files.put(call.file(), known);
      }
      case LENGTHENED -> file.lengthen((int) call.at());
      case FORCE_NAMES -> files.values().forEach(each -> each.isNameDurable = each.isNamed);
      case WRITE_DURABLY -> file.settle((int) call.at(), call.bytes().length);
      case FORCE -> file.settle();
      default -> {}
    }
  }

  /// All that was written to a file is durable.
  void settle(Path file) {
    files.get(file).settle();
  }

  /// Makes one of the images that a cut of the power may leave, a directory with the files. Where a
  /// file of streams is known, it may be there as well: of another run of the system.
  ///
  /// @param images where it is made
  /// @param kind as for {@link CutFile#writeImage}
  Path cut(Path images, int kind, Random random) throws IOException {
    Path image = Files.createTempDirectory(images, "cut");
    for (Map.Entry<Path, CutFile> each : files.entrySet()) {
      CutFile file = each.getValue();
      boolean isThere = file.isNamed == file.isNameDurable ? file.isNamed : random.nextBoolean();
      if (isThere) {
        file.writeImage(image.resolve(each.getKey()), kind, random);
      }
    }
    if (killed != null && random.nextBoolean()) {
      byte[] bytes = killed.bytes().clone();
      bytes[RUN] ^= 1;
      SparseFile.write(image.resolve(killed.file()), bytes);
    }
    return image;
  }

  /// Makes the image that the end of the process leaves.
  Path kill(Path images) throws IOException {
    Path image = Files.createTempDirectory(images, "kill");
    for (Map.Entry<Path, CutFile> each : files.entrySet()) {
      if (each.getValue().isNamed) {
        SparseFile.write(image.resolve(each.getKey()), each.getValue().live);
      }
    }
    if (killed != null) {
      SparseFile.write(image.resolve(killed.file()), killed.bytes());
    }
    return image;
  }

  /// Deletes a directory and all in it.
  static void delete(Path directory) throws IOException {
    try (var all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
