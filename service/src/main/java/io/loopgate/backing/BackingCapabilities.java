package io.loopgate.backing;

/**
 * What a backing can do, found out once by trying when it is opened.
 *
 * <p>{@code nowaitRead} and {@code nowaitWrite} tell whether transfers can be asked not to wait
 * ({@code RWF_NOWAIT}). On a buffered backing {@link Backing#tryNow} does that. A direct one would
 * wait for the device in such a call whenever it succeeds, so {@code tryNow} refuses there, and
 * only engines that submit asynchronously make use of it.
 *
 * @param nowaitRead reads can be asked not to wait
 * @param nowaitWrite writes can be asked not to wait, and some of them do not
 * @param direct transfers go past the page cache
 * @param punchHole ranges can be given back
 * @param zeroRange ranges can be zeroed and stay allocated
 * @param dsync a single write can be made durable
 * @param stable what was flushed outlives the process and the machine, as far as can be told; where
 *     it does not, no success of a write may claim so
 * @param extents holes can be told from data
 * @param neverBlocks no command of it ever waits, so an event loop may run it
 */
public record BackingCapabilities(
    Support nowaitRead,
    Support nowaitWrite,
    Support direct,
    Support punchHole,
    Support zeroRange,
    Support dsync,
    Support stable,
    Support extents,
    boolean neverBlocks) {}
