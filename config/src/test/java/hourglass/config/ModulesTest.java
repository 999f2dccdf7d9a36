package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The poms contain exactly the dependencies that docs/architecture.md shows. */
class ModulesTest {
  /**
   * The modules of ours that each module may name; the contract tests and the test support only
   * with scope test.
   */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          entry("bucketing/testing"),
          entry("bucketing", "testing:test"),
          entry("bucketing/http", "bucketing", "testing:test"),
          entry("store/api", "bucketing", "testing:test"),
          entry("store/pages", "store-api", "testing:test"),
          entry("store/rows", "store-pages", "store-testkit:test", "testing:test"),
          entry("store/testkit", "store-api", "testing"),
          entry("store/sandbox", "testing:test"),
          entry("store/embedded", "store-rows", "store-testkit:test", "testing:test"),
          entry("store/cassandra", "store-rows", "store-testkit:test", "store-sandbox:test"),
          entry("ingest", "http", "store-api", "store-testkit:test", "testing:test"),
          entry("query", "http", "store-api", "store-testkit:test", "testing:test"),
          entry("dashboard"),
          entry("config/command", "bucketing"),
          entry(
              "load-generator",
              "bucketing",
              "store-api",
              "command",
              "store-testkit:test",
              "testing:test"),
          entry(
              "config",
              "store-rows",
              "store-embedded",
              "store-cassandra",
              "store-sandbox",
              "ingest",
              "query",
              "dashboard",
              "load-generator",
              "http",
              "command",
              "testing:test"),
          entry("config/program", "config:test", "store-sandbox:test", "testing:test"),
          entry("config/verify", "testing", "store-sandbox"));

  private static Map.Entry<String, Set<String>> entry(String module, String... names) {
    return Map.entry(module, Set.of(names));
  }

  @Test
  void everyModuleIsInTheTable() throws Exception {
    assertThat(texts(pom(Project.ROOT), "module"))
        .containsExactlyInAnyOrderElementsOf(ARROWS.keySet());
  }

  static Stream<String> modules() {
    return ARROWS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void dependsOnlyOnTheModulesOfTheTable(String module) throws Exception {
    Set<String> ours = new TreeSet<>();
    NodeList dependencies = pom(Project.ROOT.resolve(module)).getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      if (text(dependency, "groupId").equals("io.hourglass")) {
        String name = text(dependency, "artifactId").substring("hourglass-".length());
        ours.add(text(dependency, "scope").equals("test") ? name + ":test" : name);
      }
    }
    assertThat(ARROWS.get(module)).containsAll(ours);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void statesOnlyTheVersionOfItsParent(String module) throws Exception {
    NodeList versions = pom(Project.ROOT.resolve(module)).getElementsByTagName("version");
    List<String> stated = new ArrayList<>();
    for (int i = 0; i < versions.getLength(); i++) {
      stated.add(versions.item(i).getTextContent());
    }
    // A processor's path has no management: it names the root's property.
    stated.removeIf(version -> version.startsWith("${"));
    assertThat(stated).as("the parent's, and none besides").hasSize(1);
  }

  /** The start script's flags come from the manifest, the tests' from a property. */
  @Test
  void theManifestOpensThePackagesOpenToTests() throws Exception {
    String flags = texts(pom(Project.ROOT), "chronicle.jvm.flags").get(0);
    Document config = pom(Project.ROOT.resolve("config"));
    assertThat(Set.of(texts(config, "Add-Opens").get(0).split(" ")))
        .isEqualTo(packages(flags, "--add-opens="));
    assertThat(Set.of(texts(config, "Add-Exports").get(0).split(" ")))
        .isEqualTo(packages(flags, "--add-exports="));
  }

  private static Set<String> packages(String flags, String name) {
    Set<String> packages = new TreeSet<>();
    Stream.of(flags.split(" "))
        .filter(flag -> flag.startsWith(name))
        .forEach(flag -> packages.add(flag.substring(name.length(), flag.lastIndexOf('='))));
    return packages;
  }

  private static Document pom(Path folder) throws Exception {
    Path pom = folder.resolve("pom.xml");
    assertThat(Files.exists(pom)).as(pom.toString()).isTrue();
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
  }

  private static List<String> texts(Document document, String tag) {
    List<String> texts = new ArrayList<>();
    NodeList elements = document.getElementsByTagName(tag);
    for (int i = 0; i < elements.getLength(); i++) {
      texts.add(elements.item(i).getTextContent());
    }
    return texts;
  }

  private static String text(Element parent, String tag) {
    NodeList elements = parent.getElementsByTagName(tag);
    return elements.getLength() == 0 ? "" : elements.item(0).getTextContent();
  }
}
