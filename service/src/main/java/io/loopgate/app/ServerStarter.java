package io.loopgate.app;

import io.loopgate.config.ServerConfig;

/** Runs a server until it is told to stop. */
interface ServerStarter {
  /** Serves, and returns the exit code of the process. */
  int run(ServerConfig config);
}
