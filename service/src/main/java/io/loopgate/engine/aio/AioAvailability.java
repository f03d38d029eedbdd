package io.loopgate.engine.aio;

import io.loopgate.backing.DescriptorBacking;
import io.loopgate.block.Errno;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.sys.AsyncIo;
import io.loopgate.sys.EventFd;
import io.loopgate.sys.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether engines over native asynchronous I/O can run, and how to open them; they share it. */
public final class AioAvailability {
  private static final Path AIO_MAX = Path.of("/proc/sys/fs/aio-max-nr");

  private AioAvailability() {}

  /**
   * Finds out by making a context as deep as all queues together need.
   *
   * @param engine the engine's name, for messages
   */
  public static Availability probe(
      String engine, EngineEnvironment environment, AsyncIo.Kernel kernel) {
    if (!(environment.backing() instanceof DescriptorBacking)) {
      return new Availability.Unavailable(
          "the backing is no file or device of the kernel", "take another engine for it");
    }
    if (!environment.backing().capabilities().direct().available()) {
      return new Availability.Unavailable(
          engine + " is for direct volumes: on buffered ones io_submit waits for the disk",
          "set direct=on, or take another engine");
    }
    int slots = environment.options().depth() + environment.loops().size();
    try (AsyncIo tried = kernel.open(slots, 1, EventFd.none())) {
      return new Availability.Available(
          "io_setup works, "
              + (tried.reapsInUserSpace() ? "ends are read from its ring" : "io_getevents"));
    } catch (SystemCallException e) {
      return refusal(e, slots);
    } catch (UnsupportedOperationException e) {
      return new Availability.Unavailable(String.valueOf(e.getMessage()), "take another engine");
    }
  }

  private static Availability.Unavailable refusal(SystemCallException e, int slots) {
    String cause = String.valueOf(e.getMessage());
    return switch (e.errno()) {
      case Errno.ENOSYS, Errno.EPERM ->
          new Availability.Unavailable(
              cause + ": a seccomp profile or the kernel forbids native asynchronous I/O",
              "allow io_setup, io_submit, io_getevents and io_destroy in the profile");
      case Errno.EAGAIN ->
          new Availability.Unavailable(
              cause + ": fs.aio-max-nr (" + aioMax() + ") has no room for " + slots + " commands",
              "raise it: sysctl -w fs.aio-max-nr=1048576");
      default -> new Availability.Unavailable(cause, "take another engine");
    };
  }

  private static String aioMax() {
    try {
      return Files.readString(AIO_MAX).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /**
   * Opens a queue that a probe found possible.
   *
   * @throws IllegalArgumentException if the kernel refuses all the same; with cause and remedy
   */
  public static AioEngine open(
      EngineEnvironment environment, SubmitPolicy policy, CompletionWatch.Kind kind) {
    if (!(environment.backing() instanceof DescriptorBacking backing)) {
      throw new IllegalStateException("not probed: " + environment.backing().description());
    }
    try {
      return AioEngine.open(environment, backing, policy, kind);
    } catch (SystemCallException e) {
      Availability.Unavailable why = refusal(e, environment.options().depth());
      throw new IllegalArgumentException(why.cause() + "; " + why.remedy(), e);
    }
  }
}
