package io.loopgate.bench.seed;

/**
 * A ratio that a mail reports or implies, and the two contenders that show it here.
 *
 * @param what the ratio in words
 * @param of the contender that is compared
 * @param to the contender it is compared with
 * @param mailed the mail's ratio as text
 */
record Claim(String what, String of, String to, String mailed) {}
