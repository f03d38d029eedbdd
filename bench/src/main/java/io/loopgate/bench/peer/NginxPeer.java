package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code nginx}: the file as a static one. It only reads. */
final class NginxPeer implements Peer {
  private static final String SENDFILE = "sendfile";
  private static final String AIO = "aio";
  private static final String DIRECT = "direct";
  private static final String WORKERS = "workers";

  private final PeerOptions options;

  NginxPeer(PeerOptions options) {
    this.options = options.only(SENDFILE, AIO, DIRECT, WORKERS);
    options.isOn(SENDFILE, true);
    options.isOn(DIRECT, false);
    options.count(WORKERS, 1);
    aio();
  }

  private String aio() {
    String aio = options.get(AIO, "off");
    if (!aio.equals("off") && !aio.equals("threads")) {
      throw new IllegalArgumentException("nginx/aio is off or threads, not \"" + aio + "\"");
    }
    return aio;
  }

  @Override
  public String name() {
    return options.text();
  }

  @Override
  public Optional<String> program() {
    return Optional.of("nginx");
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    if (workload.access().rw().writes()) {
      return Optional.of("nginx only reads");
    }
    Protocol protocol = workload.wire().orElseThrow().protocol();
    return protocol == Protocol.H1
        ? Optional.empty()
        : Optional.of("nginx has no " + protocol.word() + " without TLS");
  }

  @Override
  public RunningPeer start(Path file, Workload workload, Place place) {
    boolean direct = options.isOn(DIRECT, workload.access().direct());
    int port = ServerProcess.freePort();
    Path folder = place.folder();
    try {
      folder = Files.createTempDirectory(folder, "nginx-");
      Path configuration = folder.resolve("nginx.conf");
      Files.writeString(configuration, configuration(file, folder, port, direct));
      ServerProcess process =
          ServerProcess.start(
              "nginx",
              List.of(
                  Programs.find("nginx").orElse("nginx"),
                  "-p",
                  folder.toString(),
                  "-c",
                  configuration.toString(),
                  "-e",
                  folder.resolve("error.log").toString()),
              place);
      return Starting.finish(
          process,
          () -> process.awaitPort(port, place.stop()),
          "http://" + ServerProcess.LOOPBACK + ":" + port + "/disk",
          "sendfile "
              + (options.isOn(SENDFILE, true) ? "on" : "off")
              + ", aio "
              + aio()
              + (direct ? ", directio, open_file_cache off" : ", open_file_cache on")
              + ", workers "
              + options.count(WORKERS, 1));
    } catch (IOException e) {
      throw new PeerException("cannot write the configuration of nginx: " + e.getMessage());
    }
  }

  /** Connections and the open file stay for as long as it runs, as they do in loopgate. */
  private String configuration(Path file, Path folder, int port, boolean direct) {
    boolean root = "root".equals(System.getProperty("user.name"));
    StringBuilder http = new StringBuilder();
    for (String temporary : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      http.append("  ").append(temporary).append("_temp_path ");
      http.append(folder.resolve(temporary)).append(";\n");
    }
    return """
        daemon off;
        %sworker_processes %d;
        pid %s;
        error_log %s crit;
        events { worker_connections 1024; }
        http {
        %s  access_log off;
          sendfile %s;
          aio %s;
          directio %s;
          tcp_nopush on;
          tcp_nodelay on;
          keepalive_requests 1000000000;
          keepalive_timeout 600s;
          %s
          server {
            listen %s:%d;
            location = /disk { alias "%s"; default_type application/octet-stream; }
          }
        }
        """
        .formatted(
            // Its workers could not read what only root may.
            root ? "user root;\n" : "",
            options.count(WORKERS, 1),
            folder.resolve("nginx.pid"),
            folder.resolve("error.log"),
            http,
            options.isOn(SENDFILE, true) ? "on" : "off",
            aio(),
            direct ? "512" : "off",
            // Requests would share a descriptor, and one that goes to and fro between direct and
            // not
            // makes reads of others fail with EINVAL.
            direct
                ? "open_file_cache off;"
                : "open_file_cache max=16 inactive=600s; open_file_cache_valid 600s;",
            ServerProcess.LOOPBACK,
            port,
            file);
  }
}
