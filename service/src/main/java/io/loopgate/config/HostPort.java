package io.loopgate.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen at.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port the port; 0 lets the system choose
 */
public record HostPort(String host, int port) {
  private static final Pattern TEXT =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+(?:%[^\\]\\s]+)?)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

  /** Checks the port. */
  public HostPort {
    if (host.isBlank()) {
      throw new IllegalArgumentException("the host is empty; 0.0.0.0 is every IPv4 address");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port has to be 0 to 65535, not " + port);
    }
  }

  /**
   * Parses {@code host:port} or {@code [address]:port}.
   *
   * @throws IllegalArgumentException when it is neither
   */
  public static HostPort parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          Quoting.quote(text)
              + " is not HOST:PORT, for example 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080");
    }
    String address = matcher.group(1);
    String host = address == null ? matcher.group(2) : address;
    return new HostPort(host == null ? "" : host, Integer.parseInt(matcher.group(3)));
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
