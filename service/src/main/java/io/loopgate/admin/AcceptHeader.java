package io.loopgate.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The media types a client takes, with their weights (RFC 9110, 12.5.1). Immutable. */
final class AcceptHeader {
  /** More members than this are not looked at: no honest client sends them. */
  private static final int MAX_MEMBERS = 32;

  private final List<Member> members;

  private AcceptHeader(List<Member> members) {
    this.members = members;
  }

  private record Member(String type, String version, double weight) {}

  /** Parses the lines of the header; a member that cannot be understood is passed over. */
  static AcceptHeader parse(List<String> lines) {
    List<Member> members = new ArrayList<>();
    for (String part : String.join(",", lines).split(",", MAX_MEMBERS + 1)) {
      if (members.size() < MAX_MEMBERS && !part.isBlank()) {
        members.add(member(part));
      }
    }
    return new AcceptHeader(List.copyOf(members));
  }

  private static Member member(String text) {
    String[] parts = text.split(";", -1);
    String version = "";
    double weight = 1;
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        weight = weight(parameter.substring(2));
      } else if (parameter.startsWith("version=")) {
        version = parameter.substring("version=".length()).replace("\"", "");
      }
    }
    return new Member(parts[0].strip().toLowerCase(Locale.ROOT), version, weight);
  }

  private static double weight(String text) {
    try {
      double weight = Double.parseDouble(text);
      return weight >= 0 && weight <= 1 ? weight : 0;
    } catch (NumberFormatException notNumber) {
      return 0;
    }
  }

  /** Returns the weight given to exactly this type in this version, 0 if it is not named. */
  double named(String type, String version) {
    return best(type, version).orElse(0);
  }

  /** Returns the weight of this type, named or covered by a wildcard; 1 if nothing was asked. */
  double weight(String type, String version) {
    if (members.isEmpty()) {
      return 1;
    }
    OptionalDouble named = best(type, version);
    if (named.isPresent()) {
      return named.getAsDouble();
    }
    OptionalDouble family = best(type.substring(0, type.indexOf('/')) + "/*", "");
    return family.isPresent() ? family.getAsDouble() : best("*/*", "").orElse(0);
  }

  private OptionalDouble best(String range, String version) {
    return members.stream()
        .filter(member -> member.type().equals(range))
        .filter(member -> member.version().isEmpty() || member.version().equals(version))
        .mapToDouble(Member::weight)
        .max();
  }
}
