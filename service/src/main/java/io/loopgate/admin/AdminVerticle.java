package io.loopgate.admin;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves metrics, health and the status page on a port of its own, so that they answer while the
 * data port is busy or drains. Deploy one instance, first, and undeploy it last.
 *
 * <p>It blocks no event loop: documents are built on a small worker pool, one at a time.
 */
public final class AdminVerticle extends VerticleBase {
  /** One for metrics, one for pages. */
  private static final int WORKERS = 2;

  private static final Duration STORAGE_PATIENCE = Duration.ofSeconds(1);
  private static final int IDLE_TIMEOUT_SECONDS = 75;

  private final String host;
  private final int port;
  private final AdminInputs inputs;
  private volatile int actualPort = -1;
  private @Nullable HttpServer server;
  private @Nullable WorkerExecutor worker;
  private @Nullable VolumeSampler sampler;
  private @Nullable AdminMetrics metrics;

  /** Creates a verticle that will listen there; port 0 takes a free one. */
  public AdminVerticle(String host, int port, AdminInputs inputs) {
    this.host = host;
    this.port = port;
    this.inputs = inputs;
  }

  /** Returns the port listened on, -1 before the start; may be called from every thread. */
  public int actualPort() {
    return actualPort;
  }

  @Override
  public Future<?> start() {
    WorkerExecutor pool = vertx.createSharedWorkerExecutor("loopgate-admin", WORKERS);
    VolumeSampler volumes = new VolumeSampler(inputs.source(), STORAGE_PATIENCE);
    worker = pool;
    sampler = volumes;
    // Reading the JVM's beans for the first time takes long enough to do it off the loop.
    return pool.executeBlocking(() -> new AdminMetrics(inputs, volumes))
        .compose(
            made -> {
              metrics = made;
              return listen(new AdminHandler(inputs, made, volumes, pool));
            })
        .onFailure(_ -> release());
  }

  private Future<HttpServer> listen(AdminHandler handler) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeout(IDLE_TIMEOUT_SECONDS)
            .setIdleTimeoutUnit(TimeUnit.SECONDS);
    return vertx
        .createHttpServer(options)
        .requestHandler(handler)
        .listen()
        .onSuccess(
            bound -> {
              server = bound;
              actualPort = bound.actualPort();
            });
  }

  @Override
  public Future<?> stop() {
    Future<Void> closed = server == null ? Future.succeededFuture() : server.close();
    return closed.onComplete(_ -> release());
  }

  private void release() {
    if (metrics != null) {
      metrics.close();
    }
    if (sampler != null) {
      sampler.close();
    }
    if (worker != null) {
      var _ = worker.close();
    }
  }
}
