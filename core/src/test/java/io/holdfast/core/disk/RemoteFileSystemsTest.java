package io.holdfast.core.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteFileSystemsTest {
  @TempDir Path directory;

  @Test
  void namesOfTheKernelAndOfFuse() {
    for (String type : new String[] {"nfs", "nfs4", "cifs", "9p", "fuse.sshfs", "ceph"}) {
      assertThat(RemoteFileSystems.include(type)).as(type).isTrue();
    }
    for (String type :
        new String[] {
          "ext4", "xfs", "btrfs", "tmpfs", "zfs", "overlay", "fuseblk", "fuse.mergerfs"
        }) {
      assertThat(RemoteFileSystems.include(type)).as(type).isFalse();
    }
  }

  @Test
  void thisMachinesOwnIsNone() throws IOException {
    assertThat(RemoteFileSystems.hold(directory)).isFalse();
  }
}
