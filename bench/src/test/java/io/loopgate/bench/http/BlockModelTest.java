package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BlockModelTest {
  private static final int BLOCK = 64;
  private static final long AT = 3 * BLOCK;

  private final BlockModel model = new BlockModel(BLOCK, 8 * BLOCK);

  private byte[] bytes(long offset, int version) {
    byte[] bytes = new byte[BLOCK];
    model.fill(bytes, 0, offset, version);
    return bytes;
  }

  private int write() {
    int version = model.claim(AT).orElseThrow();
    model.acknowledge(AT, version);
    return version;
  }

  @Test
  void whatWasAcknowledgedLastIsRight() {
    assertThat(model.mismatch(bytes(AT, 0), 0, AT, model.floor(AT))).isEqualTo(-1);
    int version = write();
    assertThat(version).isEqualTo(1);
    assertThat(model.mismatch(bytes(AT, 1), 0, AT, model.floor(AT))).isEqualTo(-1);
  }

  @Test
  void whatWasAcknowledgedBeforeThatIsWrong() {
    write();
    assertThat(model.mismatch(bytes(AT, 0), 0, AT, model.floor(AT))).isZero();
  }

  @Test
  void aVersionThatNobodySentIsWrong() {
    assertThat(model.mismatch(bytes(AT, 1), 0, AT, model.floor(AT))).isZero();
  }

  @Test
  void theBytesOfAnotherBlockAreWrong() {
    assertThat(model.mismatch(bytes(AT + BLOCK, 0), 0, AT, model.floor(AT))).isZero();
    assertThat(model.mismatch(new byte[BLOCK], 0, AT, model.floor(AT))).isZero();
  }

  @Test
  void aSingleWrongByteIsFoundWhereItIs() {
    byte[] bytes = bytes(AT, 0);
    bytes[42] ^= 1;
    assertThat(model.mismatch(bytes, 0, AT, model.floor(AT))).isEqualTo(40);
  }

  @Test
  void aWriteUnderWayMayBeSeenOrNotAndAlsoInPart() {
    int floor = model.floor(AT);
    model.claim(AT);
    byte[] torn = bytes(AT, 1);
    System.arraycopy(bytes(AT, 0), 0, torn, 0, BLOCK / 2);
    assertThat(model.mismatch(bytes(AT, 0), 0, AT, floor)).isEqualTo(-1);
    assertThat(model.mismatch(bytes(AT, 1), 0, AT, floor)).isEqualTo(-1);
    assertThat(model.mismatch(torn, 0, AT, floor)).isEqualTo(-1);
  }

  @Test
  void aReadMayFindEveryVersionSinceItBegan() {
    int floor = model.floor(AT);
    for (int i = 0; i < 5; i++) {
      write();
    }
    for (int version = 0; version <= 5; version++) {
      assertThat(model.mismatch(bytes(AT, version), 0, AT, floor)).isEqualTo(-1);
    }
    assertThat(model.mismatch(bytes(AT, 4), 0, AT, model.floor(AT))).isZero();
  }

  @Test
  void aBlockHasOneWriterAtATime() {
    int version = model.claim(AT).orElseThrow();
    assertThat(model.claim(AT)).isEmpty();
    assertThat(model.claim(AT + BLOCK)).isPresent();
    model.acknowledge(AT, version);
    assertThat(model.claim(AT)).hasValue(2);
  }

  @Test
  void moreBlocksThanCanBeRememberedAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BlockModel(512, 1L << 40))
        .withMessageContaining("--size");
  }
}
