package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import hourglass.testing.Tier;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the whole program says in which tier it begins to run, and CONTRIBUTING.md too. */
@Tag(Tier.IN_FIRST)
class TiersIT {
  private static final List<String> TAGS = List.of(Tier.IN_FIRST, Tier.IN_FULL, Tier.IN_LONGEST);
  private static final String BEGIN = "<!-- tiers -->";
  private static final String END = "<!-- /tiers -->";

  /** A class of tests and the tag of its tier. */
  private record Place(String test, String tier) {
    /** Reads a line of the table, {@code | class | tier | seconds |}. */
    static Place of(String line) {
      String[] cells = line.split("\\|");
      assertThat(cells).as(line).hasSize(4);
      return new Place(cells[1].strip(), cells[2].strip());
    }
  }

  private static List<Class<?>> tests() throws IOException, URISyntaxException {
    Path folder =
        Path.of(TiersIT.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith("IT.class")).toList()) {
        String path = folder.relativize(file).toString();
        String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
        Class<?> test = load(name);
        if (!Modifier.isAbstract(test.getModifiers())) {
          tests.add(test);
        }
      }
    }
    return tests;
  }

  /** Starts none of the servers that classes share. */
  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, TiersIT.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> tags(AnnotatedElement element) {
    return Stream.of(element.getDeclaredAnnotationsByType(Tag.class)).map(Tag::value).toList();
  }

  @Test
  void eachTestHasItsTier() throws Exception {
    for (Class<?> test : tests()) {
      assertThat(tags(test)).as(test.getName()).hasSize(1).isSubsetOf(TAGS);
      int tier = TAGS.indexOf(tags(test).get(0));
      for (Class<?> type = test; type != Object.class; type = type.getSuperclass()) {
        for (Method method : type.getDeclaredMethods()) {
          // One of an earlier tier than the class would not run there either.
          assertThat(tags(method))
              .as(method.toString())
              .isSubsetOf(TAGS.subList(tier, TAGS.size()));
        }
      }
    }
  }

  @Test
  void theTableNamesEachTestInItsTier() throws Exception {
    String page = Files.readString(Project.ROOT.resolve("CONTRIBUTING.md"));
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    List<Place> table =
        page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END))
            .lines()
            .filter(line -> line.startsWith("|"))
            .skip(2) // the head and the line below it
            .map(Place::of)
            .toList();
    List<Place> expected =
        tests().stream()
            .map(test -> new Place(test.getSimpleName(), tags(test).get(0)))
            .sorted(
                Comparator.comparingInt((Place place) -> TAGS.indexOf(place.tier()))
                    .thenComparing(Place::test))
            .toList();
    assertThat(table).isEqualTo(expected);
  }
}
