package io.loopgate.http;

/**
 * What a queue request asks for all of its commands.
 *
 * @param durable whether the completion of a change waits for stable media, also without FUA
 * @param timeoutMillis how long each command may take from the end of its payload on, or 0
 */
record QueueTerms(boolean durable, long timeoutMillis) {}
