package io.loopgate.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Lines up columns for a terminal: the first to the left, the others to the right. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> head) {
    rows.add(List.copyOf(head));
  }

  /** Adds a row; one of a single cell more than fits a column goes on to the right as it is. */
  void add(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  List<String> lines() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size() && isAligned(row, i); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  /** The last cell of a short row is a remark. */
  private boolean isAligned(List<String> row, int column) {
    return row.size() == rows.getFirst().size() || column < row.size() - 1;
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String cell = row.get(i);
      String padding = " ".repeat(isAligned(row, i) ? widths[i] - cell.length() : 0);
      line.append(i == 0 ? cell + padding : GAP + padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
