package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the data folder remembers and which names lead into it. */
class VolumeStoreTest {
  private static final Set<String> YOUNGER_MEMBERS = Set.of("queues", "depth", "merge", "punt");

  private final Path folder = BackingFixture.directory().resolve("data");
  private final VolumeStore store = new VolumeStore(folder);
  private final DataFolder names = new DataFolder(folder, FileBackings::create);

  private static VolumeDescriptor descriptor(String id, String key) {
    return descriptor(id, key, DirectIo.ON);
  }

  private static VolumeDescriptor descriptor(String id, String key, DirectIo direct) {
    VolumeSettings settings =
        new VolumeSettings(
            id,
            "sub/ünusual name=#:.img",
            "workers:4",
            new EngineOptions(3, 77, false, true),
            NowaitMode.ALWAYS,
            direct,
            true,
            Durability.WRITEBACK,
            4096,
            AlignmentPolicy.STRICT,
            new VolumeLimits(7, 8, 1L << 40));
    return new VolumeDescriptor(settings, 1L << 45, true, true, key, "digest");
  }

  @Test
  void aDescriptorComesBackWhole() {
    for (String key : new String[] {"", " key with = and \\ and \n and \u20ac"}) {
      VolumeDescriptor descriptor = descriptor("a", key);
      assertThat(VolumeDescriptor.of(descriptor.toProperties())).isEqualTo(descriptor);
      store.write(descriptor);
      assertThat(store.readAll()).containsExactly(descriptor);
    }
    assertThat(descriptor("a", "").created().creating()).isFalse();
  }

  @Test
  void directComesBackAndIsReadFromOlderDescriptors() {
    for (DirectIo direct : DirectIo.values()) {
      VolumeDescriptor descriptor = descriptor("a", "", direct);
      assertThat(VolumeDescriptor.of(descriptor.toProperties())).isEqualTo(descriptor);
    }
    Properties older = descriptor("a", "").toProperties();
    older.setProperty("direct", "false");
    assertThat(VolumeDescriptor.of(older).settings().direct()).isEqualTo(DirectIo.OFF);
    older.setProperty("direct", "true");
    assertThat(VolumeDescriptor.of(older).settings().direct()).isEqualTo(DirectIo.ON);
  }

  @Test
  void everyMemberIsRequired() {
    Set<String> members = new HashSet<>(descriptor("a", "").toProperties().stringPropertyNames());
    members.removeAll(YOUNGER_MEMBERS);
    assertThat(members).hasSizeGreaterThan(10);
    for (String key : members) {
      Properties properties = descriptor("a", "").toProperties();
      properties.remove(key);
      assertThatThrownBy(() -> VolumeDescriptor.of(properties))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(key);
    }
  }

  @Test
  void descriptorsOfOlderVersionsGetDefaults() {
    Properties properties = descriptor("a", "").toProperties();
    YOUNGER_MEMBERS.forEach(properties::remove);
    assertThat(VolumeDescriptor.of(properties).settings().options())
        .isEqualTo(EngineOptions.DEFAULT);
  }

  @Test
  void readsSortedAndForgetsWhatIsRemoved() throws IOException {
    assertThat(store.readAll()).isEmpty();
    store.write(descriptor("b", ""));
    store.write(descriptor("a", ""));
    assertThat(store.readAll()).extracting(read -> read.settings().id()).containsExactly("a", "b");
    store.remove("a");
    store.remove("a");
    assertThat(store.readAll()).hasSize(1);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.toList()).as("no temporary file stays").hasSize(1);
    }
  }

  @Test
  void aHalfWrittenReplacementChangesNothing() throws IOException {
    VolumeDescriptor old = descriptor("a", "old");
    store.write(old);
    Files.writeString(folder.resolve(".a.volume.new"), "id=a\nbacki");
    assertThat(store.readAll()).containsExactly(old);
    VolumeDescriptor replaced = descriptor("a", "new");
    store.write(replaced);
    assertThat(store.readAll()).containsExactly(replaced);
    assertThat(folder.resolve(".a.volume.new")).doesNotExist();
  }

  @Test
  void garbageIsNamed() throws IOException {
    store.write(descriptor("a", ""));
    for (byte[] garbage :
        List.of(
            new byte[0],
            new byte[4096],
            new byte[] {(byte) 0xff, 1},
            "\\u12".getBytes(StandardCharsets.UTF_8))) {
      Files.write(folder.resolve("bad.volume"), garbage);
      assertThatThrownBy(store::readAll)
          .isInstanceOfSatisfying(
              VolumeException.class,
              e -> assertThat(e.kind()).isEqualTo(VolumeException.Kind.FAILED))
          .hasMessageContaining("bad.volume");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        ".",
        "",
        "../x.img",
        "a/../../x.img",
        "/etc/passwd",
        "/",
        "sub/../..",
        "nul\0.img",
        "missing/x.img",
        "a.volume",
        ".a.volume.new"
      })
  void namesThatAreNoneAreRefused(String name) throws IOException {
    Files.createDirectories(folder);
    refused(name);
  }

  private void refused(String name) {
    assertThatThrownBy(() -> names.resolve(name))
        .isInstanceOfSatisfying(
            VolumeException.class,
            e -> assertThat(e.kind()).isEqualTo(VolumeException.Kind.INVALID));
  }

  @Test
  void linksLeadNowhere() throws IOException {
    Files.createDirectories(folder);
    Path outside = Files.createDirectory(folder.resolveSibling("outside"));
    Files.writeString(outside.resolve("x.img"), "secret");
    Files.createSymbolicLink(folder.resolve("file"), outside.resolve("x.img"));
    Files.createSymbolicLink(folder.resolve("dir"), outside);
    Files.createSymbolicLink(folder.resolve("dangling"), outside.resolve("not there"));
    for (String name : new String[] {"file", "dir", "dir/x.img", "dir/new.img", "dangling"}) {
      refused(name);
    }
  }

  @Test
  void namesInsideAreFiles() throws IOException {
    assertThat(names.resolve("x.img")).isEqualTo(folder.toAbsolutePath().resolve("x.img"));
    Files.createDirectories(folder.resolve("sub"));
    assertThat(names.resolve("sub/x.img").getParent())
        .isEqualTo(folder.toAbsolutePath().resolve("sub"));
    assertThat(names.resolve("sub/../y.img")).hasFileName("y.img");
    assertThat(names.holds("y.img")).isFalse();
    names.createImageIfMissing(names.resolve("y.img").toString(), 8192);
    names.createImageIfMissing(names.resolve("y.img").toString(), 4096);
    assertThat(folder.resolve("y.img")).hasSize(8192);
    names.deleteImage("y.img");
    assertThat(names.holds("y.img")).isFalse();
  }
}
