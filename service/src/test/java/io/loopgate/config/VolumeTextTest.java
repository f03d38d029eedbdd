package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeTextTest {
  private static ConfiguredVolume parse(String text) {
    return VolumeResolver.resolve(VolumeText.parse(text, Origin.flag(ConfigKey.VOLUME)));
  }

  @Test
  void aPathAloneTakesDefaults() {
    assertThat(parse("disk0=/images/a.raw"))
        .isEqualTo(ConfiguredVolume.existing(VolumeSettings.of("disk0", "/images/a.raw")));
  }

  @Test
  void everyKeyIsRead() {
    assertThat(
            parse(
                "disk0=/a.raw,engine=workers:4,queues=2,depth=16,merge=off,punt,nowait=always,direct=on,readonly,"
                    + "durability=writeback,blockSize=4096,alignment=strict,maxInFlight=7,"
                    + "operationsPerSecond=1000,bytesPerSecond=10MB,size=1GiB"))
        .isEqualTo(
            ConfiguredVolume.created(
                new VolumeSettings(
                    "disk0",
                    "/a.raw",
                    "workers:4",
                    new EngineOptions(2, 16, false, true),
                    NowaitMode.ALWAYS,
                    DirectIo.ON,
                    true,
                    Durability.WRITEBACK,
                    4096,
                    AlignmentPolicy.STRICT,
                    new VolumeLimits(7, 1000, 10_000_000)),
                1L << 30));
  }

  @ParameterizedTest
  @CsvSource({"direct,true", "direct=on,true", "direct=true,true", "direct=off,false"})
  void switches(String option, boolean expected) {
    assertThat(parse("a=b," + option).settings().direct()).isEqualTo(DirectIo.of(expected));
    String readonly = option.replace("direct", "readonly");
    assertThat(parse("a=b," + readonly).settings().readOnly()).isEqualTo(expected);
    String punt = option.replace("direct", "punt");
    assertThat(parse("a=b," + punt).settings().options().punt()).isEqualTo(expected);
  }

  @Test
  void directIsLeftToTheBackingUnlessSaid() {
    assertThat(parse("a=b").settings().direct()).isEqualTo(DirectIo.AUTO);
    assertThat(parse("a=b,direct=auto").settings().direct()).isEqualTo(DirectIo.AUTO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=/x=y/z.raw|/x=y/z.raw",
        "a=/x\\,y.raw|/x,y.raw",
        "a=/x\\,y.raw,direct|/x,y.raw",
        "a=C:\\dir|C:\\dir",
        "a=linear:a.img+b.img|linear:a.img+b.img",
        "a=linear:/x\\+y\\,z+ram:1MiB,direct|linear:/x\\+y,z+ram:1MiB",
        "a=ram:64MiB,engine=inline|ram:64MiB",
        "a=null:1TiB|null:1TiB"
      })
  void pathsKeepWhatTheyHold(String text, String path) {
    assertThat(parse(text).settings().backing()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({"4096,4096", "4KiB,4096", "512B,512"})
  void blockSizeMayHaveAUnit(String text, int bytes) {
    assertThat(parse("a=b,blockSize=" + text).settings().blockSizeBytes()).isEqualTo(bytes);
  }

  @Test
  void bytesPerSecondMayBeBare() {
    assertThat(parse("a=b,bytesPerSecond=1000").settings().limits().bytesPerSecond())
        .isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "disk0|--volume: \"disk0\" is not ID=PATH",
        "Disk_0=/x|id \"Disk_0\" is not a DNS label",
        "a=|backing of volume a is empty",
        "a=b,enginee=x|unknown key \"enginee\"; the nearest is engine",
        "a=b,block-size=512|the nearest is blockSize",
        "a=b,readOnly|the nearest is readonly",
        "a=b,path=c|unknown key \"path\"",
        "a=b,,direct|unknown key \"\"",
        "a=b,engine|engine needs a value",
        "a=b,engine=|names no engine",
        "a=b,engine=x,engine=y|engine is given twice",
        "a=b,direct,direct=on|direct is given twice",
        "a=b,direct=1|direct: \"1\" is neither on nor off",
        "a=b,nowait=of|nowait: \"of\" is none of off, always, auto; the nearest is off",
        "a=b,durability=none|is none of durable, writeback",
        "a=b,alignment=loose|is none of any, strict",
        "a=b,blockSize=1024|has to be 512 or 4096, not 1024",
        "a=b,blockSize=4GiB|\"4GiB\" is too large",
        "a=b,queues=65|queues has to be 0 (what suits the engine) to 64, not 65",
        "a=b,queues=-1|queues: \"-1\" is not a whole number",
        "a=b,depth=0|depth has to be 1 to 4096, not 0",
        "a=b,depth=4097|depth has to be 1 to 4096, not 4097",
        "a=b,depth=many|depth: \"many\" is not a whole number",
        "a=b,merge|merge needs a value: on or off",
        "a=b,merge=1|merge: \"1\" is neither on nor off",
        "a=b,punt=maybe|punt: \"maybe\" is neither on nor off",
        "a=b,dept=1|the nearest is depth",
        "a=b,maxInFlight=0|maxInFlight has to be 1 to 65536, not 0",
        "a=b,maxInFlight=4294967297|\"4294967297\" is too large",
        "a=b,operationsPerSecond=-1|\"-1\" is not a whole number",
        "a=b,bytesPerSecond=1Mb/s|is not a size",
        "a=b,size=1024|size: \"1024\" needs a unit, for example 64KiB",
        "a=b,size=0B|size of volume a has to be more than 0",
        "a=ram:1MiB,size=1GiB|size of volume a makes a missing file, and ram:1MiB is none",
        "a=linear:b+c,size=1GiB|makes a missing file, and linear:b+c is none"
      })
  void refusals(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--volume")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b\nc,x", "a\u001b[31m=b", "a=b,\u2028=x"})
  void messagesStayOnOneLine(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(ConfigException.class)
        .message()
        .doesNotContainPattern("[\\p{Cntrl}\u2028]");
  }
}
