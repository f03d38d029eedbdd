package io.loopgate.bench.shape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Shapes by their names, in order; some names stand for a series. For one thread. */
final class Catalogue<T> {
  private final Map<String, List<T>> byName = new LinkedHashMap<>();
  private final Function<T, String> nameOf;

  /** Creates an empty one; {@code nameOf} tells the name of one shape. */
  Catalogue(Function<T, String> nameOf) {
    this.nameOf = nameOf;
  }

  /** Adds a shape that is alone. */
  void add(T shape) {
    byName.put(nameOf.apply(shape), List.of(shape));
  }

  /** Adds a series. */
  void add(String name, List<T> series) {
    byName.put(name, series);
  }

  /** Returns the names. */
  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * Returns what a name stands for, be it a series or one of a series.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  List<T> named(String name) {
    List<T> found = byName.get(name);
    if (found != null) {
      return found;
    }
    return byName.values().stream()
        .flatMap(List::stream)
        .filter(shape -> nameOf.apply(shape).equals(name))
        .findFirst()
        .map(List::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no shape \"" + name + "\"; there are " + String.join(", ", names())));
  }
}
