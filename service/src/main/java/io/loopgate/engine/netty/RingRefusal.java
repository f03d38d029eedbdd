package io.loopgate.engine.netty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Why there is no ring to be had, in words.
 *
 * @param cause what stands in the way
 * @param remedy what a user can do about it
 */
public record RingRefusal(String cause, String remedy) {
  /** What a trial says whose ring was made and then did not work. */
  static final String NO_ENTRY = "io_uring_enter failed";

  private static final String OTHERWISE =
      "take engine aio, which needs no ring, or engine workers; ";
  private static final String LET_THROUGH =
      "or let io_uring_setup, io_uring_enter and io_uring_register through in that profile";

  private static final Path SYSCTL = Path.of("/proc/sys/kernel/io_uring_disabled");
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Finds the words for what Netty threw; the message of the C library is somewhere inside. */
  static RingRefusal of(Throwable thrown) {
    String text = messages(thrown);
    if (text.contains("Operation not permitted") || text.contains("Permission denied")) {
      return notPermitted();
    }
    if (text.contains(NO_ENTRY)) {
      return new RingRefusal(
          "the kernel makes a ring and then refuses io_uring_enter" + filtered(),
          OTHERWISE + LET_THROUGH);
    }
    if (text.contains("Function not implemented")) {
      return new RingRefusal(
          "this kernel has no io_uring, or a seccomp profile hides it (ENOSYS" + filtered() + ")",
          OTHERWISE + "or run on Linux 5.9 or later with io_uring compiled in and let through");
    }
    if (text.contains("Cannot allocate memory")) {
      return new RingRefusal(
          "no memory for a ring (ENOMEM): before Linux 5.12 rings count towards the limit of locked"
              + " memory, later towards the memory of the control group",
          OTHERWISE + "or raise `ulimit -l` or the container's memory");
    }
    if (text.contains("kernel version") || text.contains("not supported")) {
      return new RingRefusal(
          "this kernel's io_uring is too old: " + text, OTHERWISE + "or run on Linux 5.9 or later");
    }
    return new RingRefusal(
        "io_uring does not work here: " + text, OTHERWISE + "or see what the message names");
  }

  private static RingRefusal notPermitted() {
    String disabled = firstLine(SYSCTL).orElse("0");
    if (!disabled.equals("0")) {
      return new RingRefusal(
          "the machine forbids io_uring: kernel.io_uring_disabled is " + disabled + " (EPERM)",
          OTHERWISE
              + "or set the sysctl to 0, or to 1 and let this user be in kernel.io_uring_group");
    }
    return new RingRefusal(
        "the container's seccomp profile does not let io_uring through (EPERM" + filtered() + ")",
        OTHERWISE + LET_THROUGH);
  }

  /** Says whether a filter is in force, as far as the system tells. */
  private static String filtered() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("Seccomp:"))
          .findFirst()
          .map(
              line ->
                  line.strip().endsWith("2")
                      ? "; a seccomp filter is in force"
                      : "; no seccomp filter is")
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<String> firstLine(Path file) {
    try {
      return Files.readString(file).lines().findFirst().map(String::strip);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String messages(Throwable thrown) {
    StringBuilder all = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      String message = each.getMessage();
      if (message != null && all.indexOf(message) < 0) {
        all.append(all.isEmpty() ? "" : ": ").append(message);
      }
    }
    return all.isEmpty() ? thrown.getClass().getSimpleName() : all.toString();
  }
}
