package io.loopgate.bench.peer;

import io.loopgate.bench.control.Stop;
import java.nio.file.Path;
import java.util.List;

/**
 * Where servers run.
 *
 * @param folder for what they write besides; removed by whoever made it
 * @param processors those servers run on, as {@code 0-3,6}; empty: all
 * @param loopgate the command that runs this build, without its arguments
 * @param stop the wish to stop
 */
public record Place(Path folder, String processors, List<String> loopgate, Stop stop) {
  /** Copies the list. */
  public Place {
    loopgate = List.copyOf(loopgate);
  }
}
