package io.loopgate.backing.linear;

/** Files through the page cache. */
class LinearOverBufferedFilesTest extends LinearOverFilesContract {
  LinearOverBufferedFilesTest() {
    super(false);
  }
}
