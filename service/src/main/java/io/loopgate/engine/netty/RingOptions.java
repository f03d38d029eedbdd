package io.loopgate.engine.netty;

/**
 * How an engine uses a ring.
 *
 * @param fd the file to transfer from and to; open for as long as the ring is
 * @param punt whether the kernel is told to hand each transfer to its workers at once ({@code
 *     IOSQE_ASYNC}) instead of trying without waiting first
 */
public record RingOptions(int fd, boolean punt) {}
