package io.loopgate.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the {@code Range} field as the wire contract does: stricter than RFC 9110 on bad syntax,
 * which never becomes the whole disk by accident, and as lenient on ends past the size.
 */
final class RangeHeader {
  /** How many members one field may name. */
  static final int RANGES_MAX = 256;

  /** What a field means for a representation of a known size. */
  sealed interface Parsed {
    /** No range of bytes: answer with everything. */
    record Ignored() implements Parsed {}

    /** At least one range, ascending, apart from each other. */
    record Satisfiable(List<ByteRange> ranges) implements Parsed {}

    /** Bad syntax, or nothing of it exists. */
    record Unsatisfiable() implements Parsed {}

    /** More members than are served. */
    record TooMany(int count) implements Parsed {}
  }

  private static final Parsed IGNORED = new Parsed.Ignored();
  private static final Parsed UNSATISFIABLE = new Parsed.Unsatisfiable();
  private static final String UNIT = "bytes";

  private RangeHeader() {}

  /** Reads a field value. */
  static Parsed parse(String value, long sizeBytes) {
    int equals = value.indexOf('=');
    String unit = equals < 0 ? value : value.substring(0, equals);
    if (!unit.strip().equalsIgnoreCase(UNIT)) {
      return IGNORED;
    }
    if (equals < 0 || unit.length() != UNIT.length()) {
      return UNSATISFIABLE;
    }
    int comma = value.indexOf(',', equals);
    return comma < 0 ? single(value, equals + 1, sizeBytes) : several(value, equals + 1, sizeBytes);
  }

  private static Parsed single(String value, int from, long sizeBytes) {
    Member member = new Member();
    if (!member.read(value, from, value.length(), sizeBytes) || !member.exists()) {
      return UNSATISFIABLE;
    }
    return new Parsed.Satisfiable(List.of(member.range()));
  }

  private static Parsed several(String value, int from, long sizeBytes) {
    List<ByteRange> ranges = new ArrayList<>();
    int count = 0;
    boolean bad = false;
    Member member = new Member();
    int start = from;
    while (start <= value.length()) {
      int end = value.indexOf(',', start);
      if (end < 0) {
        end = value.length();
      }
      int first = skipBlanks(value, start, end);
      int last = trimBlanks(value, first, end);
      if (first < last) {
        count++;
        if (!member.read(value, first, last, sizeBytes)) {
          bad = true;
        } else if (member.exists() && count <= RANGES_MAX) {
          ranges.add(member.range());
        }
      }
      start = end + 1;
    }
    if (count > RANGES_MAX) {
      return new Parsed.TooMany(count);
    }
    return bad || ranges.isEmpty() ? UNSATISFIABLE : new Parsed.Satisfiable(merge(ranges));
  }

  private static int skipBlanks(String value, int from, int to) {
    int i = from;
    while (i < to && isBlank(value.charAt(i))) {
      i++;
    }
    return i;
  }

  private static int trimBlanks(String value, int from, int to) {
    int i = to;
    while (i > from && isBlank(value.charAt(i - 1))) {
      i--;
    }
    return i;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Sorts, and joins what overlaps or touches: a client gets each byte once. */
  private static List<ByteRange> merge(List<ByteRange> ranges) {
    ranges.sort(Comparator.comparingLong(ByteRange::startBytes));
    List<ByteRange> merged = new ArrayList<>();
    for (ByteRange range : ranges) {
      int last = merged.size() - 1;
      if (last >= 0 && range.startBytes() <= merged.get(last).endBytes()) {
        ByteRange before = merged.get(last);
        merged.set(
            last,
            new ByteRange(before.startBytes(), Math.max(before.endBytes(), range.endBytes())));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** One member of the field: {@code a-b}, {@code a-} or {@code -n}. */
  private static final class Member {
    private long start;
    private long end;

    /** Reads a member; returns false for bad syntax. */
    boolean read(String value, int from, int to, long sizeBytes) {
      int dash = value.indexOf('-', from);
      if (dash < 0 || dash >= to) {
        return false;
      }
      if (dash == from) {
        long suffix = Numbers.parse(value, dash + 1, to);
        start = Math.max(0, sizeBytes - Math.max(0, suffix));
        end = sizeBytes;
        return suffix != Numbers.NONE;
      }
      start = Numbers.parse(value, from, dash);
      long last = dash + 1 == to ? Long.MAX_VALUE : Numbers.parse(value, dash + 1, to);
      end = last >= sizeBytes ? sizeBytes : last + 1;
      return start != Numbers.NONE && last != Numbers.NONE && last >= start;
    }

    boolean exists() {
      return start < end;
    }

    ByteRange range() {
      return new ByteRange(start, end);
    }
  }
}
