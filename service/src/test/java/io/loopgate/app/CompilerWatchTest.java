package io.loopgate.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompilerWatchTest {
  private final CompilerWatch compiler = new CompilerWatch();

  @Test
  void theCompilerHasBeenBusyAndIsNeverLessSo() {
    long before = compiler.busyMillis();
    assertThat(before).as("this JVM has compiled something").isPositive();
    assertThat(compiler.busyMillis()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void nobodyWaitsBeyondTheDeadline() {
    long startNanos = System.nanoTime();
    compiler.awaitRest(startNanos);
    assertThat(System.nanoTime() - startNanos).isLessThan(Duration.ofSeconds(10).toNanos());
  }
}
