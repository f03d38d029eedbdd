package io.loopgate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.loopgate.block.BlockOp;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape of the product: who may know whom. */
class ArchitectureTest {
  private static final String ROOT = "io.loopgate.";
  private static final JavaClasses PRODUCT = product();

  /** What each part may use, besides itself; vocabulary and counters are for all. */
  private static final Map<String, Set<String>> USES =
      Map.ofEntries(
          Map.entry("block", Set.of()),
          Map.entry("telemetry", Set.of("block")),
          Map.entry("sys", Set.of("block")),
          Map.entry("backing", Set.of("block", "telemetry", "sys")),
          Map.entry("engine", Set.of("block", "telemetry", "sys", "backing")),
          Map.entry("layer", Set.of("block", "telemetry", "sys", "backing", "engine")),
          Map.entry("volume", Set.of("block", "telemetry", "sys", "backing", "engine", "layer")),
          Map.entry("config", Set.of("block", "telemetry", "backing", "engine", "layer", "volume")),
          Map.entry(
              "http", Set.of("block", "telemetry", "sys", "backing", "engine", "layer", "volume")),
          Map.entry("admin", Set.of("block", "telemetry")),
          Map.entry(
              "app",
              Set.of(
                  "block",
                  "telemetry",
                  "sys",
                  "backing",
                  "engine",
                  "layer",
                  "volume",
                  "config",
                  "http",
                  "admin")));

  /** The classes of the data port that reach into Vert.x or Netty, for what no interface gives. */
  private static final Set<String> VERTX_INSIDERS =
      Set.of(
          "Exchange",
          "RangeBody",
          "BodyReceiver",
          "QueueStream",
          "QueueOutput",
          "Deadline",
          "DataVerticle",
          "ClientConnection");

  /** Where engines meet Netty's loops: an eventfd on their epoll, a ring of theirs. */
  private static final String NETTY_ADAPTER = "io.loopgate.engine.netty..";

  private static JavaClasses product() {
    // Names of foreign classes are enough; their members are of no interest here.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    URL where = BlockOp.class.getProtectionDomain().getCodeSource().getLocation();
    return new ClassFileImporter().importUrl(where);
  }

  @Test
  void everyPartIsKnown() {
    assertThat(PRODUCT.stream().map(ArchitectureTest::part).distinct())
        .containsExactlyInAnyOrderElementsOf(USES.keySet());
  }

  private static String part(JavaClass of) {
    String rest = of.getPackageName().substring(ROOT.length());
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }

  @Test
  void partsUseOnlyWhatLiesBelow() {
    USES.forEach(
        (part, used) -> {
          List<String> allowed = new ArrayList<>();
          allowed.add(ROOT + part + "..");
          used.forEach(other -> allowed.add(ROOT + other + ".."));
          noClasses()
              .that(resideInAPackage(ROOT + part + ".."))
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.loopgate..")
                      .and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
              .check(PRODUCT);
        });
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.loopgate.(**)").should().beFreeOfCycles().check(PRODUCT);
  }

  @Test
  void frameworksStayOnTop() {
    noClasses()
        .that(
            not(
                resideInAnyPackage(
                    "io.loopgate.http..",
                    "io.loopgate.admin..",
                    "io.loopgate.app..",
                    NETTY_ADAPTER)))
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty..", "io.micrometer.."))
        .check(PRODUCT);
    noClasses()
        .that(
            not(
                resideInAnyPackage(
                    "io.loopgate.http..",
                    "io.loopgate.admin..",
                    "io.loopgate.app..",
                    "io.loopgate.config..")))
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.."))
        .check(PRODUCT);
  }

  @Test
  void foreignMemoryIsForTheBindings() {
    noClasses()
        .that(not(resideInAPackage("io.loopgate.sys..")))
        .should()
        .dependOnClassesThat(resideInAPackage("java.lang.foreign.."))
        .check(PRODUCT);
  }

  @Test
  void eventLoopsMeetNoLock() {
    methods()
        .that()
        .areDeclaredInClassesThat(
            resideInAnyPackage(
                "io.loopgate.engine..",
                "io.loopgate.layer..",
                "io.loopgate.volume..",
                "io.loopgate.http.."))
        .should()
        .notHaveModifier(JavaModifier.SYNCHRONIZED)
        .check(PRODUCT);
    noClasses()
        .that(
            resideInAnyPackage("io.loopgate.engine..", "io.loopgate.layer..", "io.loopgate.http.."))
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.util\\.concurrent\\.locks\\..*Lock")
        .check(PRODUCT);
  }

  @Test
  void fewClassesReachIntoVertx() {
    noClasses()
        .that()
        .resideOutsideOfPackage("java..")
        .and(
            not(
                DescribedPredicate.describe(
                    "are named",
                    (JavaClass each) -> VERTX_INSIDERS.contains(outermost(each).getSimpleName()))))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "io.vertx.core.http.impl..", "io.vertx.core.internal..", "io.vertx.core.impl.."))
        .check(PRODUCT);
  }

  private static JavaClass outermost(JavaClass of) {
    return of.getEnclosingClass().map(ArchitectureTest::outermost).orElse(of);
  }

  @Test
  void publicClassesAreNotMadeToBeExtended() {
    classes()
        .that()
        .arePublic()
        .should(
            new ArchCondition<>("be final, an interface, an enum or a record") {
              @Override
              public void check(JavaClass each, ConditionEvents events) {
                boolean closed =
                    each.isInterface()
                        || each.isEnum()
                        || each.isRecord()
                        || each.getModifiers().contains(JavaModifier.FINAL);
                if (!closed) {
                  events.add(SimpleConditionEvent.violated(each, each.getName() + " is open"));
                }
              }
            })
        .check(PRODUCT);
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    Path sources = Path.of("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> packages =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(Path::getParent)
              .distinct()
              .toList();
      assertThat(packages).hasSizeGreaterThan(10);
      for (Path each : packages) {
        assertThat(each.resolve("package-info.java")).content().contains("@NullMarked");
      }
    }
  }
}
