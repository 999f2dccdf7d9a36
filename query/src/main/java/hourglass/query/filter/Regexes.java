package hourglass.query.filter;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions of RE2, in time linear in the text. An expression that may grow too large is
 * rejected before compilation. Thread-safe.
 */
public final class Regexes {
  /** The most instructions of a constant pattern. Each character may pass through all of them. */
  static final int INSTRUCTIONS_MAX = 500;

  static final int PAYLOAD_INSTRUCTIONS_MAX = 100;

  static final int PAYLOAD_LENGTH_MAX = 200;

  /**
   * The most places of a constant pattern, which need some megabytes. The bound is often ten times
   * too large.
   */
  private static final int PLACES_MAX = 20_000;

  /**
   * The most ranges of all constants in one expression: about a megabyte, and a few more during
   * compilation.
   */
  private static final int RANGES_MAX = 100_000;

  private static final int PAYLOAD_PLACES_MAX = 2_000;
  private static final int PAYLOAD_RANGES_MAX = 5_000;

  /** The most groups of an expression, since the parser recurses at each group. */
  private static final int GROUPS_MAX = 250;

  /** The number of steps to compile one place: about a microsecond, where a step is 15 ns. */
  private static final int STEPS_A_PLACE = 64;

  /**
   * The number of patterns in the cache. It is cleared when full, since payloads may bring many
   * patterns.
   */
  private static final int KEPT = 100;

  /** The most ranges of all cached expressions: about ten megabytes. */
  private static final long KEPT_RANGES = 1_000_000;

  /** The number of steps up to which a search is counted in advance: less than a millisecond. */
  private static final int UNCOUNTED_STEPS = 1 << 15;

  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();
  private static final AtomicLong knownRanges = new AtomicLong();

  private record Known(@Nullable Pattern pattern, int instructions, String refusal) {}

  /**
   * A regular expression was refused. The message continues a sentence that begins with {@code it}.
   */
  public static final class RefusedRegexException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private RefusedRegexException(String message) {
      super(message);
    }
  }

  /** The shared limit for all constants of one expression. Used by one thread. */
  public static final class Allowance {
    private long rangesLeft = RANGES_MAX;

    public Pattern constant(String regex) {
      RegexSize size = RegexSize.of(regex);
      check(size, PLACES_MAX, rangesLeft);
      rangesLeft -= size.ranges();
      return compiled(regex, size, INSTRUCTIONS_MAX);
    }

    /**
     * Returns a test whether an expression is anywhere in a text. Its steps count as work of the
     * current event.
     *
     * @throws IllegalArgumentException if the expression is invalid or too large; the message
     *     begins with it
     */
    public Predicate<String> search(String regex) {
      Pattern pattern = named(regex, regex);
      return text -> find(pattern, text, Effort.current());
    }

    /** Returns a test of whole texts like {@link #search}, in which a dot is any character. */
    public Predicate<String> whole(String regex) {
      Pattern pattern = named("(?s)" + regex, regex);
      return text -> matches(pattern, text, Effort.current());
    }

    private Pattern named(String regex, String name) {
      try {
        return constant(regex);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("\"" + name + "\" " + e.getMessage());
      }
    }
  }

  private Regexes() {}

  /**
   * Whether a part of the text matches. Throws {@link RefusedRegexException} if the expression is
   * invalid or too large.
   */
  public static boolean matches(String text, String regex) {
    Effort effort = Effort.current();
    Pattern constant = effort.pattern(regex);
    return find(constant != null ? constant : ofPayload(regex, effort), text, effort);
  }

  static boolean find(Pattern pattern, String text, Effort effort) {
    return matcher(pattern, text, effort).find();
  }

  /** Whether the whole text matches. */
  static boolean matches(Pattern pattern, String text, Effort effort) {
    return matcher(pattern, text, effort).matches();
  }

  private static Matcher matcher(Pattern pattern, String text, Effort effort) {
    int instructions = pattern.programSize();
    long steps = (long) text.length() * instructions;
    if (steps > UNCOUNTED_STEPS) {
      return pattern.matcher(new CountedText(text, instructions, effort));
    }
    effort.spend(steps);
    return pattern.matcher(text);
  }

  /**
   * Counts one step per instruction for a character's first read, and one for each further read.
   */
  private static final class CountedText implements CharSequence {
    private final String text;
    private final int steps;
    private final Effort effort;
    private int furthest = -1;

    CountedText(String text, int steps, Effort effort) {
      this.text = text;
      this.steps = steps;
      this.effort = effort;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (index > furthest) {
        furthest = index;
        effort.spend(steps);
      } else {
        effort.spend(1);
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static Pattern ofPayload(String regex, Effort effort) {
    if (regex.length() > PAYLOAD_LENGTH_MAX) {
      throw new RefusedRegexException(
          "is a regular expression of "
              + regex.length()
              + " characters made from a payload, want at most "
              + PAYLOAD_LENGTH_MAX);
    }
    RegexSize size = RegexSize.of(regex);
    effort.spend(regex.length());
    check(size, PAYLOAD_PLACES_MAX, PAYLOAD_RANGES_MAX);
    if (!KNOWN.containsKey(regex)) {
      effort.spend(STEPS_A_PLACE * (size.places() + size.ranges()));
    }
    return compiled(regex, size, PAYLOAD_INSTRUCTIONS_MAX);
  }

  private static void check(RegexSize size, long placesMax, long rangesMax) {
    if (!size.isFoldable()) {
      throw new RefusedRegexException(
          "is a regular expression that disregards the case of U+1C80 to U+1C88, which have no"
              + " single other case");
    }
    if (size.places() > placesMax) {
      throw new RefusedRegexException(
          "is a regular expression that repeats its parts up to "
              + size.places()
              + " times, want at most "
              + placesMax);
    }
    if (size.ranges() > rangesMax) {
      throw new RefusedRegexException(
          "is a regular expression whose classes such as \\pL have up to "
              + size.ranges()
              + " ranges, repeats written out, want at most "
              + rangesMax);
    }
    if (size.depth() > GROUPS_MAX) {
      throw new RefusedRegexException(
          "is a regular expression of more than " + GROUPS_MAX + " groups and quotes, want fewer");
    }
  }

  private static Pattern compiled(String regex, RegexSize size, int instructionsMax) {
    Known known = KNOWN.get(regex);
    if (known == null) {
      known = compile(regex);
      keep(regex, size, known);
    }
    if (known.instructions() > instructionsMax) {
      throw new RefusedRegexException(
          "is a regular expression of "
              + known.instructions()
              + " instructions, want at most "
              + instructionsMax);
    }
    if (known.pattern() == null) {
      throw new RefusedRegexException(known.refusal());
    }
    return known.pattern();
  }

  private static Known compile(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      int instructions = pattern.programSize();
      return new Known(instructions <= INSTRUCTIONS_MAX ? pattern : null, instructions, "");
    } catch (PatternSyntaxException e) {
      return new Known(null, 0, "is no regular expression: " + e.getDescription());
    }
  }

  private static void keep(String regex, RegexSize size, Known known) {
    if (KNOWN.size() >= KEPT || knownRanges.addAndGet(size.ranges()) > KEPT_RANGES) {
      KNOWN.clear();
      knownRanges.set(size.ranges());
    }
    KNOWN.put(regex, known);
  }
}
