package io.loopgate.admin;

import io.netty.util.Version;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What runs here, for {@code /version}, the status page and the metrics.
 *
 * @param version the version of loopgate
 * @param revision the source revision it was built from
 * @param java the version of the Java runtime
 * @param vertx the version of Vert.x
 * @param netty the version of Netty
 */
public record BuildInfo(String version, String revision, String java, String vertx, String netty) {
  /** The product's name. */
  public static final String NAME = "loopgate";

  private static final String UNKNOWN = "unknown";

  /** Reads the versions from the libraries found at run time; what is not told is "unknown". */
  public static BuildInfo detect() {
    Version netty = Version.identify().get("netty-common");
    return new BuildInfo(
        orUnknown(BuildInfo.class.getPackage().getImplementationVersion()),
        orUnknown(System.getProperty("loopgate.revision")),
        Runtime.version().toString(),
        vertxVersion(),
        netty == null ? UNKNOWN : netty.artifactVersion());
  }

  private static String vertxVersion() {
    try (InputStream in = Vertx.class.getResourceAsStream("/META-INF/vertx/vertx-version.txt")) {
      return in == null
          ? UNKNOWN
          : orUnknown(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException unreadable) {
      return UNKNOWN;
    }
  }

  private static String orUnknown(@Nullable String text) {
    return text == null || text.isBlank() ? UNKNOWN : text;
  }
}
