package hourglass.verify;

import hourglass.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run is to do.
 *
 * @param modules their folders, as in {@code store/pages}; all if empty
 * @param tests {@code CLASS} or {@code CLASS#METHOD}, in any tier; all of the tier if empty
 * @param properties {@code -Dname=value}, for the JVMs of the tests
 */
record Wanted(Tier tier, List<String> modules, List<String> tests, List<String> properties) {
  private static final String PROGRAM = "program";

  /**
   * Reads the arguments of {@code ./verify}.
   *
   * @throws IllegalArgumentException if one is none of them
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

  /** Whether all tests of the tier are wanted, and the checks that are no tests. */
  boolean isEverything() {
    return modules.isEmpty() && tests.isEmpty();
  }

  boolean includes(String module) {
    return modules.isEmpty() || modules.contains(module);
  }

  /** The tags that are left out. */
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

  /** The option that asks for this tier; empty for the first. */
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
