package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code reference.conf} says of each key is what is checked. */
class ReferenceTest {
  private static final Pattern RANGE =
      Pattern.compile("from (\\d+(?: ?[A-Za-z]+)?) to (\\d+(?: ?[A-Za-z]+)?)");

  @TempDir Path folder;

  static Stream<String> keys() {
    return Reference.KEYS.keySet().stream();
  }

  static Stream<String> ranges() {
    return keys().filter(key -> RANGE.matcher(allowed(key)).find());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void isReadAndRefusesWhatIsNotAllowed(String key) {
    assertThat(allowed(key)).isNotEmpty();
    assertThat(Reference.key(key).about()).endsWith(".");
    assertThat(problems(key, "[{ a = b }]"))
        .anyMatch(problem -> problem.startsWith(key + " = ") && problem.endsWith(allowed(key)));
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void allowsExactlyItsRange(String key) {
    Matcher range = RANGE.matcher(allowed(key));
    assertThat(range.find()).isTrue();
    String least = range.group(1);
    String most = range.group(2);
    assertThat(refusals(key, least)).as(least).isEmpty();
    assertThat(refusals(key, most)).as(most).isEmpty();
    assertThat(refusals(key, next(key, least, -1))).as("less than " + least).isNotEmpty();
    assertThat(refusals(key, next(key, most, 1))).as("more than " + most).isNotEmpty();
  }

  /** Returns the value next to another one, in the smallest unit of its kind. */
  private static String next(String key, String value, int step) {
    if (allowed(key).contains("a duration")) {
      return Kinds.duration(value).toNanos() + step + " ns";
    }
    return String.valueOf(Kinds.bytes(value) + step);
  }

  /** Returns problems of the value itself, rather than of its combination with others. */
  private List<String> refusals(String key, String value) {
    boolean isMap = allowed(key).startsWith("a map");
    return problems(key, isMap ? "{ a = \"" + value + "\" }" : value).stream()
        .filter(problem -> problem.startsWith(key + " = ") && problem.endsWith(allowed(key)))
        .toList();
  }

  private List<String> problems(String key, String value) {
    SettingsSources sources = GivenSettings.set(folder, key + "=" + value);
    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> Settings.load(sources));
    return refused == null ? List.of() : refused.problems();
  }

  private static String allowed(String key) {
    return Reference.key(key).allowed();
  }
}
