package io.loopgate.bench.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapesTest {
  private static final long SIZE_BYTES = 64 << 20;

  private final Shapes shapes = new Shapes(SIZE_BYTES);

  @Test
  void everyNameStandsForAtLeastOneWorkload() {
    assertThat(shapes.names())
        .containsExactly(
            "psync12",
            "libaio12",
            "randread128",
            "sequential4",
            "livecd",
            "sparsewrite",
            "preallocwrite",
            "hot1",
            "writers");
    assertThat(shapes.names()).allSatisfy(name -> assertThat(shapes.named(name)).isNotEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "psync12,RW,1,12,true",
    "libaio12,RW,16,12,true",
    "randread128,RANDREAD,128,1,true",
    "sequential4,READ,1,4,true",
    "sparsewrite,RANDWRITE,16,1,true",
    "preallocwrite,RANDWRITE,16,1,true",
    "hot1,RANDREAD,1,4,false"
  })
  void aShapeIsWhatItsSourceSays(String name, Rw rw, int depth, int jobs, boolean direct) {
    Access access = shapes.named(name).getFirst().access();
    assertThat(access.rw()).isEqualTo(rw);
    assertThat(access.depth()).isEqualTo(depth);
    assertThat(access.jobs()).isEqualTo(jobs);
    assertThat(access.direct()).isEqualTo(direct);
  }

  @Test
  void aSeriesGrowsAndEachOfItHasAName() {
    assertThat(shapes.named("livecd"))
        .extracting(Workload::name)
        .containsExactly("livecd-1", "livecd-4", "livecd-16", "livecd-64");
    assertThat(shapes.named("writers"))
        .extracting(each -> each.access().jobs())
        .containsExactly(1, 2, 4, 8);
    assertThat(shapes.named("livecd-16")).isEqualTo(List.of(shapes.named("livecd").get(2)));
  }

  @Test
  void sparseWritesGetAFreshFileForEachRun() {
    assertThat(shapes.named("sparsewrite").getFirst().target())
        .isEqualTo(new Target.Image(16 * SIZE_BYTES, Fill.SPARSE, true));
  }

  @Test
  void anUnknownNameIsAnsweredWithTheValidOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shapes.named("psync"))
        .withMessageContaining("psync12, libaio12");
  }

  @Test
  void threeFilesShareTheSizeInWholeMebibytes() {
    assertThat(Shapes.linear(SIZE_BYTES)).isEqualTo(new Target.Linear(3, 21 << 20));
  }

  @Test
  void onlyOneWrittenFileIsPutIntoParts() {
    for (String name : List.of("livecd-4", "sparsewrite")) {
      Target target = shapes.named(name).getFirst().target();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> target.inParts(3))
          .withMessageContaining("parts=");
    }
  }

  @ParameterizedTest
  @EnumSource(Rw.class)
  void aPatternIsReadBackFromItsWord(Rw rw) {
    assertThat(Rw.parse(rw.word())).isEqualTo(rw);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "READ", "readwrite"})
  void aWordThatIsNoPatternIsRefused(String word) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rw.parse(word))
        .withMessageContaining("randrw");
  }

  @ParameterizedTest
  @CsvSource({"0,1,1", "1000,1,1", "4096,0,1", "4096,1,0", "4096,2000,1", "33554432,1,1"})
  void numbersOutOfBoundsAreRefused(int blockBytes, int depth, int jobs) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Access.of(Rw.READ, blockBytes, depth, jobs, false, Cache.HOT));
  }
}
