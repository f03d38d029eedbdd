package io.loopgate.backing.blockdev;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.OpenOptions;
import org.junit.jupiter.api.Test;

/** A device past its page cache. */
class DirectBlockDeviceBackingTest extends BlockDeviceContract {
  DirectBlockDeviceBackingTest() {
    super(true);
  }

  @Test
  void largeSectorsShowInTheShape() throws Exception {
    try (LoopDevice large = LoopDevice.attach(SIZE_BYTES, "--sector-size", "4096");
        Backing backing = BlockDevices.open(large.device(), new OpenOptions(false, true, 4096))) {
      assertThat(backing.geometry().alignmentBytes()).isEqualTo(4096);
    }
  }
}
