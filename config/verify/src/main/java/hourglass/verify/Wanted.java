package hourglass.verify;

import hourglass.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The selection of tests for a run.
 *
 * @param modules the folders of modules, such as {@code store/pages}; empty for all
 * @param tests {@code CLASS} or {@code CLASS#METHOD}, in any tier; empty for all of the tier
 * @param properties {@code -Dname=value}, for the JVMs of the tests
 */
record Wanted(Tier tier, List<String> modules, List<String> tests, List<String> properties) {
  private static final String PROGRAM = "program";

  /**
   * Reads the arguments of {@code ./verify}.
   *
   * @throws IllegalArgumentException if one of them is unknown
   */
  static Wanted of(Path root, String... arguments) {
    Tier tier = Tier.FIRST;
    List<String> modules = new ArrayList<>();
    List<String> tests = new ArrayList<>();
    List<String> properties = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--full")) {
        tier = Tier.FULL;
      } else if (argument.equals("--long")) {
        tier = Tier.LONGEST;
      } else if (argument.equals("--test") && i + 1 < arguments.length) {
        tests.add(arguments[++i]);
      } else if (argument.startsWith("-D")) {
        properties.add(argument);
      } else {
        modules.add(module(root, argument));
      }
    }
    return new Wanted(tier, modules, tests, properties);
  }

  private static String module(Path root, String argument) {
    String name =
        argument.equals(PROGRAM) ? "config/program" : argument.replaceAll("^\\./|/+$", "");
    if (!Files.exists(root.resolve(name).resolve("pom.xml"))) {
      throw new IllegalArgumentException(
          "\"" + argument + "\" is no module; one is, for example, query or store/pages");
    }
    return name;
  }

  /** Returns whether all tests of the tier are selected, and so the checks that are not tests. */
  boolean isEverything() {
    return modules.isEmpty() && tests.isEmpty();
  }

  boolean includes(String module) {
    return modules.isEmpty() || modules.contains(module);
  }

  /** Returns the tags of tests that do not run. */
  List<String> excludedTags() {
    if (!tests.isEmpty()) {
      return List.of();
    }
    return switch (tier) {
      case FIRST -> List.of(Tier.IN_FULL, Tier.IN_LONGEST);
      case FULL -> List.of(Tier.IN_LONGEST);
      case LONGEST -> List.of();
    };
  }

  /** Returns the option that selects this tier; empty for the first. */
  String tierOption() {
    return switch (tier) {
      case FIRST -> "";
      case FULL -> "--full ";
      case LONGEST -> "--long ";
    };
  }

  String tierName() {
    return tier.name().toLowerCase(Locale.ROOT);
  }
}
