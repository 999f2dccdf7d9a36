package hourglass.query.where.json;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one look at an event may take, in steps of about 15 ns and in what it makes. Counted by
 * thread, since an evaluation stays in one; so none of it is passed through the library. Every
 * 65,536 steps it asks whether the query still has a client.
 *
 * <p>Without a bound {@code data.list.exists(x, data.text.contains(x))} takes hours, and {@code
 * ["x"].map(a, a + a).map(a, a + a)} and so on doubles until no memory is left.
 */
public final class Effort {
  /** Half a second at most: one megabyte, each character past 32 instructions. */
  static final long STEPS_MAX = 1 << 25;

  /** Characters of text, bytes and elements of lists; as much as the largest event has. */
  static final int MADE_MAX = 1 << 20;

  /** Payloads of more bytes count from the first look at their bytes on; smaller ones are quick. */
  public static final int LONG_BYTES = 64 << 10;

  /** About a millisecond. */
  private static final int LOOK_EVERY = 1 << 16;

  private static final ThreadLocal<Effort> CURRENT = ThreadLocal.withInitial(Effort::new);

  /**
   * More was to be done. An error and no exception, because {@code &&} and {@code ||} of the
   * language go on after exceptions.
   */
  public static final class ExceededError extends Error {
    private static final long serialVersionUID = 1L;

    private ExceededError(String message) {
      super(message, null, false, false);
    }
  }

  /** The client gave the query up. An error for the same reason. */
  public static final class GoneError extends Error {
    private static final long serialVersionUID = 1L;

    private GoneError() {
      super("the client gave the query up", null, false, false);
    }
  }

  private BooleanSupplier gone = Effort::never;
  private Map<String, Pattern> patterns = Map.of();
  private long stepsLeft = STEPS_MAX;
  private long nextLook;
  private int left = MADE_MAX;

  private Effort() {}

  private static boolean never() {
    return false;
  }

  /** That of the event which this thread looks at. */
  public static Effort current() {
    return CURRENT.get();
  }

  /**
   * Begins with an event.
   *
   * @param isGone whether the client gave the query up
   * @param patterns the constant regular expressions of the query's expression, by their text
   */
  public static void begin(BooleanSupplier isGone, Map<String, Pattern> patterns) {
    Effort effort = CURRENT.get();
    effort.patterns = patterns;
    effort.gone = isGone;
    effort.again();
  }

  /** Begins to look at the same event once more. */
  public void again() {
    stepsLeft = STEPS_MAX;
    nextLook = STEPS_MAX - LOOK_EVERY;
    left = MADE_MAX;
  }

  /** Ends with the event; what follows in this thread belongs to no query. */
  public static void end() {
    begin(Effort::never, Map.of());
  }

  /** The regular expression that the query has for a text; null if it has none. */
  public @Nullable Pattern pattern(String regex) {
    return patterns.get(regex);
  }

  /**
   * Counts steps that are about to be taken.
   *
   * @throws ExceededError if they are too many together with all before
   * @throws GoneError if the client gave the query up
   */
  public void spend(long steps) {
    stepsLeft -= steps;
    if (stepsLeft < nextLook) {
      look();
    }
  }

  /**
   * Counts what is about to be made.
   *
   * @throws ExceededError if it is too much together with all before
   */
  public void make(long size) {
    if (size > left) {
      throw new ExceededError(
          "makes texts or lists by + or map of more than "
              + MADE_MAX
              + " characters and elements, or reads as many from lists and objects");
    }
    left -= (int) size;
  }

  /**
   * Asks whether the query still has a client.
   *
   * @throws ExceededError if too many steps were counted
   * @throws GoneError if it has none
   */
  public void look() {
    if (gone.getAsBoolean()) {
      throw new GoneError();
    }
    if (stepsLeft < 0) {
      throw new ExceededError(
          "takes more than "
              + STEPS_MAX
              + " steps of text search, regular expressions and comparisons; look at shorter"
              + " texts, as in size(data.text) <= 10000 && data.text.matches(...)");
    }
    nextLook = Math.max(0, stepsLeft - LOOK_EVERY);
  }
}
