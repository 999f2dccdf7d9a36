package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks the bill of materials of the distribution: it lists each library once, under a licence
 * that lets everybody use it.
 */
@Tag(Tier.IN_FIRST)
class SupplyIT {
  /** They ask for the notice that is in each jar, and nothing of those who use the program. */
  private static final Set<String> LICENCES =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "CC0-1.0",
          "EPL-1.0",
          "EPL-2.0",
          "Go License", // the name that re2j gives to BSD-3-Clause
          "MIT",
          "MIT-0");

  private static final Path PROGRAM = Program.jar().getParent();

  private static List<JsonObject> components() throws IOException {
    String bom = Files.readString(PROGRAM.resolve("bom.json"));
    return new JsonObject(bom)
        .getJsonArray("components").stream().map(JsonObject.class::cast).toList();
  }

  private static String name(JsonObject component) {
    return component.getString("group") + ":" + component.getString("name");
  }

  @Test
  void theBillOfMaterialsListsExactlyTheLibraries() throws Exception {
    Set<String> listed =
        components().stream().map(SupplyIT::jar).collect(Collectors.toCollection(TreeSet::new));
    assertThat(jars().map(jar -> jar.getFileName().toString()))
        .containsExactlyInAnyOrderElementsOf(listed);
  }

  /** Returns the name of the jar in Maven; the classifier is only in the package URL. */
  private static String jar(JsonObject component) {
    String url = component.getString("purl");
    String classifier =
        url.contains("classifier=") ? "-" + url.replaceAll(".*classifier=([^&]*).*", "$1") : "";
    return component.getString("name") + "-" + component.getString("version") + classifier + ".jar";
  }

  @Test
  void noLibraryIsShippedInTwoVersions() throws Exception {
    Map<String, Set<String>> versions = new TreeMap<>();
    for (JsonObject component : components()) {
      versions
          .computeIfAbsent(name(component), name -> new TreeSet<>())
          .add(component.getString("version"));
    }
    versions.values().removeIf(of -> of.size() == 1);
    assertThat(versions).isEmpty();
  }

  @Test
  void noClassIsInTwoLibraries() throws Exception {
    Map<String, String> owners = new HashMap<>();
    Set<String> doubled = new TreeSet<>();
    for (Path jar : jars().sorted().toList()) {
      String name = jar.getFileName().toString();
      try (JarFile file = new JarFile(jar.toFile())) {
        file.stream()
            .map(entry -> entry.getName())
            .filter(entry -> entry.endsWith(".class") && !entry.endsWith("module-info.class"))
            .filter(entry -> !entry.startsWith("META-INF/"))
            .forEach(
                entry -> {
                  String owner = owners.putIfAbsent(entry, name);
                  if (owner != null) {
                    doubled.add(owner + " and " + name + ", as " + entry);
                  }
                });
      }
    }
    assertThat(doubled).isEmpty();
  }

  private static Stream<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAM.resolve("lib"))) {
      return files.toList().stream();
    }
  }

  @Test
  void everyLicenceIsAllowed() throws Exception {
    List<String> refused = new ArrayList<>();
    for (JsonObject component : components()) {
      if (!component.getString("group").equals("io.hourglass")) {
        List<String> licences = licences(component.getJsonArray("licenses"));
        if (licences.stream().noneMatch(LICENCES::contains)) { // of several, one may choose
          refused.add(name(component) + ": " + licences);
        }
      }
    }
    assertThat(refused).isEmpty();
  }

  private static List<String> licences(JsonArray of) {
    return of == null
        ? List.of()
        : of.stream()
            .map(JsonObject.class::cast)
            .map(each -> each.getJsonObject("license", each))
            .map(each -> each.getString("id", each.getString("expression", each.getString("name"))))
            .toList();
  }

  @Test
  void everyLicenceOfTheDashboardIsAllowed() throws Exception {
    JsonObject packages =
        new JsonObject(Files.readString(Project.ROOT.resolve("dashboard/package-lock.json")))
            .getJsonObject("packages");
    Map<String, Set<String>> versions = new TreeMap<>();
    List<String> refused = new ArrayList<>();
    for (String path : packages.fieldNames()) {
      JsonObject one = packages.getJsonObject(path);
      if (path.isEmpty() || one.getBoolean("dev", false) || one.getBoolean("optional", false)) {
        continue;
      }
      String name = path.substring(path.lastIndexOf("node_modules/") + "node_modules/".length());
      versions.computeIfAbsent(name, of -> new TreeSet<>()).add(one.getString("version"));
      if (!LICENCES.contains(one.getString("license", "none"))) {
        refused.add(name + ": " + one.getString("license", "none"));
      }
    }
    assertThat(versions).containsKeys("lit", "uplot");
    assertThat(refused).isEmpty();
  }
}
