package io.loopgate.backing.blockdev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.open.Backings;
import io.loopgate.block.Errno;
import io.loopgate.sys.ScriptedSystemCalls;
import io.loopgate.sys.SystemCalls;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A device through its page cache. */
class BufferedBlockDeviceBackingTest extends BlockDeviceContract {
  BufferedBlockDeviceBackingTest() {
    super(false);
  }

  @Test
  void aNameLeadsToADevice() {
    on().close();
    try (Backing backing =
        Backings.open(loop().device().toString(), new OpenOptions(true, false, 512))) {
      assertThat(backing).isInstanceOf(BlockDeviceBacking.class);
    }
  }

  @Test
  void deniedDevicesAreExplainedForContainers() {
    on().close();
    SystemCalls denying =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("open") ? OptionalLong.of(-Errno.EACCES) : OptionalLong.empty());
    assertThatThrownBy(
            () -> BlockDevices.open(denying, loop().device(), new OpenOptions(false, false, 512)))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("device " + loop().device() + " cannot be read")
        .hasMessageContaining("runAsGroup")
        .hasMessageContaining("device_ownership_from_security_context");
  }
}
