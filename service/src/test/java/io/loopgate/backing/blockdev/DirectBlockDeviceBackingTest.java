package io.loopgate.backing.blockdev;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.open.Backings;
import org.junit.jupiter.api.Test;

/** A device past its page cache. */
class DirectBlockDeviceBackingTest extends BlockDeviceContract {
  DirectBlockDeviceBackingTest() {
    super(true);
  }

  @Test
  void aDeviceIsDirectUnlessToldOtherwise() {
    on().close();
    try (Backing backing =
        Backings.open(
            loop().device().toString(), new OpenOptions(false, DirectIo.AUTO, BLOCK_BYTES))) {
      assertThat(backing.capabilities().direct().available()).isTrue();
    }
    try (Backing backing =
        Backings.open(
            loop().device().toString(), new OpenOptions(false, DirectIo.OFF, BLOCK_BYTES))) {
      assertThat(backing.capabilities().direct().available()).isFalse();
    }
    try (Backing image =
        Backings.open(
            loop().image().toString(), new OpenOptions(true, DirectIo.AUTO, BLOCK_BYTES))) {
      assertThat(image.capabilities().direct().available()).as("a file is not").isFalse();
    }
  }

  @Test
  void largeSectorsShowInTheShape() throws Exception {
    try (LoopDevice large = LoopDevice.attach(SIZE_BYTES, "--sector-size", "4096");
        Backing backing = BlockDevices.open(large.device(), new OpenOptions(false, true, 4096))) {
      assertThat(backing.geometry().alignmentBytes()).isEqualTo(4096);
    }
  }
}
