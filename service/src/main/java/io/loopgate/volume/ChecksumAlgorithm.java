package io.loopgate.volume;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The digests that volumes compute and check, by their names in HTTP. */
public enum ChecksumAlgorithm {
  /** FIPS 180-4. */
  SHA_256("sha-256"),
  /** Castagnoli's, four bytes in network order, as in the samples of RFC 9530. */
  CRC32C("crc32c");

  private final String label;

  ChecksumAlgorithm(String label) {
    this.label = label;
  }

  /** Returns the algorithm of a name, if there is one. */
  public static Optional<ChecksumAlgorithm> of(String label) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.label.equals(label)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  /** Returns the name in HTTP. */
  public String label() {
    return label;
  }

  /** Returns a digest that has seen nothing. */
  public Digest start() {
    return this == SHA_256 ? new Sha256() : new Crc32c();
  }

  /** A digest under way; for one thread. */
  public interface Digest {
    /** Adds bytes. */
    void update(ByteBuffer bytes);

    /** Adds bytes. */
    default void update(byte[] bytes) {
      update(ByteBuffer.wrap(bytes));
    }

    /** Returns the digest and starts over. */
    byte[] finish();
  }

  private static final class Sha256 implements Digest {
    private final MessageDigest digest;

    Sha256() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    @Override
    public void update(ByteBuffer bytes) {
      digest.update(bytes);
    }

    @Override
    public byte[] finish() {
      return digest.digest();
    }
  }

  private static final class Crc32c implements Digest {
    private final CRC32C crc = new CRC32C();

    @Override
    public void update(ByteBuffer bytes) {
      crc.update(bytes);
    }

    @Override
    public byte[] finish() {
      byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
      crc.reset();
      return value;
    }
  }
}
