package io.loopgate.bench.compare;

import io.loopgate.bench.shape.Workload;
import java.util.List;
import java.util.Optional;

/**
 * What came of one workload.
 *
 * @param workload what was run
 * @param baseline the name of the contender that the others are compared with
 * @param rows one for each contender, in the order they ran
 */
public record Comparison(Workload workload, String baseline, List<Row> rows) {
  /** Copies the list. */
  public Comparison {
    rows = List.copyOf(rows);
  }

  /** Returns the row of a contender. */
  public Optional<Row> row(String contender) {
    return rows.stream().filter(row -> row.contender().equals(contender)).findFirst();
  }
}
