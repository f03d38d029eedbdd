package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loopgate.block.Errno;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProblemTest {
  private static JsonNode json(Problem problem) throws Exception {
    return new ObjectMapper().readTree(problem.toJson());
  }

  @ParameterizedTest
  @CsvSource({
    "5, 500, io-error, EIO",
    "6, 500, io-error, ENXIO",
    "22, 500, io-error, EINVAL",
    "77, 500, io-error, errno 77",
    "28, 507, no-space, ENOSPC",
    "122, 507, no-space, EDQUOT",
    "27, 507, no-space, EFBIG"
  })
  void namesErrnoAndOffset(int errno, int status, String code, String name) throws Exception {
    JsonNode problem = json(Problem.ofResult(-errno, 4096, "disk0"));
    assertThat(problem.get("status").intValue()).isEqualTo(status);
    assertThat(problem.get("code").asText()).isEqualTo(code);
    assertThat(problem.get("errno").asText()).isEqualTo(name);
    assertThat(problem.get("offset").longValue()).isEqualTo(4096);
    assertThat(problem.get("detail").asText()).contains("disk0").contains(name);
  }

  @ParameterizedTest
  @CsvSource({
    Errno.TRUNCATED + ", 500, backing-truncated",
    Errno.POISONED + ", 500, poisoned",
    Errno.READ_ONLY + ", 403, read-only",
    Errno.EROFS + ", 403, read-only",
    Errno.DEADLINE + ", 504, deadline-exceeded",
    Errno.OVERLOADED + ", 503, overloaded",
    Errno.CLOSED + ", 503, draining"
  })
  void hasACodeForEachResultOfOurOwn(int errno, int status, String code) throws Exception {
    Problem problem = Problem.ofResult(-errno, 0, "v");
    assertThat(problem.code().status()).isEqualTo(status);
    assertThat(json(problem).get("code").asText()).isEqualTo(code);
    assertThat(problem.headers().containsKey("Retry-After")).isEqualTo(status == 503);
  }

  @Test
  void isADocumentOfTheStandard() throws Exception {
    JsonNode problem = json(Problem.unsatisfiable("no such bytes", 100).with("limit", 3));
    List<String> names = new ArrayList<>();
    problem.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly("type", "title", "status", "detail", "code", "sizeBytes", "limit");
    assertThat(problem.get("limit").isNumber()).isTrue();
  }

  @Test
  void codesAreUniqueAndTheirStatusesAreErrors() {
    assertThat(ProblemCode.codes()).doesNotHaveDuplicates();
    for (ProblemCode code : ProblemCode.values()) {
      assertThat(code.status()).isBetween(400, 599);
      assertThat(code.title()).isNotBlank();
    }
  }
}
