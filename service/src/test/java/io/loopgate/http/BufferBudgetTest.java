package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.telemetry.HttpTelemetry;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class BufferBudgetTest {
  private final HttpTelemetry telemetry = new HttpTelemetry(List.of());
  private final BufferBudget budget = new BufferBudget(1000, telemetry);

  private ByteBuf take(int bytes) {
    return Objects.requireNonNull(budget.tryTake(bytes));
  }

  @Test
  void refusesWhatIsOverTheBound() {
    ByteBuf first = take(600);
    assertThat(budget.tryTake(401)).isNull();
    ByteBuf second = take(400);
    assertThat(telemetry.heldBytes()).isEqualTo(1000);
    assertThat(budget.takenBytes()).isEqualTo(1000);
    budget.give(first);
    budget.give(second);
    assertThat(budget.takenBytes()).isZero();
    assertThat(telemetry.heldBytes()).isZero();
    assertThat(first.refCnt()).isZero();
  }

  @Test
  void wakesOneWaiterForEachBuffer() {
    List<String> woken = new ArrayList<>();
    ByteBuf first = take(10);
    ByteBuf second = take(10);
    budget.whenRoom(() -> woken.add("a"));
    budget.whenRoom(() -> woken.add("b"));
    budget.give(first);
    assertThat(woken).containsExactly("a");
    budget.give(second);
    assertThat(woken).containsExactly("a", "b");
  }

  @Test
  void thoseWhoLeftDoNotUseUpATurn() {
    List<String> woken = new ArrayList<>();
    ByteBuf buffer = take(10);
    budget.whenRoom(() -> !woken.add("gone"));
    budget.whenRoom(() -> woken.add("waiting"));
    budget.give(buffer);
    assertThat(woken).containsExactly("gone", "waiting");
  }
}
