package io.holdfast.core.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// File systems whose files are on another machine: what a sync there has made durable is its
/// server's to say, which may have a cache of its own, and go down by itself.
public final class RemoteFileSystems {
  /// As Linux and macOS name them.
  private static final Set<String> TYPES =
      Set.of(
          "9p",
          "afs",
          "afpfs",
          "beegfs",
          "ceph",
          "cifs",
          "coda",
          "davfs",
          "glusterfs",
          "gpfs",
          "lustre",
          "ncpfs",
          "nfs",
          "nfs4",
          "ocfs2",
          "smb2",
          "smb3",
          "smbfs",
          "webdav");

  /// Types that FUSE mounts under `fuse.` and these names.
  private static final Set<String> FUSE =
      Set.of(
          "ceph-fuse",
          "cifs",
          "curlftpfs",
          "davfs",
          "gcsfuse",
          "glusterfs",
          "rclone",
          "s3fs",
          "seaweedfs",
          "sshfs");

  private RemoteFileSystems() {}

  /// Whether a file, or a directory, is on one.
  public static boolean hold(Path file) throws IOException {
    return include(Files.getFileStore(file).type());
  }

  static boolean include(String type) {
    return TYPES.contains(type) || type.startsWith("fuse.") && FUSE.contains(type.substring(5));
  }
}
