package io.loopgate.backing.linear;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Files past the page cache. */
class LinearOverDirectFilesTest extends LinearOverFilesContract {
  LinearOverDirectFilesTest() {
    super(true);
  }

  @Test
  void theWholeIsDirect() {
    assertThat(on().backing().capabilities().direct().available()).isTrue();
    assertThat(on().backing().geometry().alignmentBytes()).isGreaterThanOrEqualTo(512);
  }
}
