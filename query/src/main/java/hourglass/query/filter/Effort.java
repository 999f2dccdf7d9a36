package hourglass.query.filter;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit on the work and memory for one event, counted by thread. A step takes about 15 ns.
 * Without a limit, {@code data.list.exists(x, data.text.contains(x))} could take hours, and {@code
 * ["x"].map(a, a + a)} in a chain could fill the memory.
 */
public final class Effort {
  /**
   * The most steps for one event. They take half a second: one megabyte, each character through 32
   * instructions.
   */
  static final long STEPS_MAX = 1 << 25;

  /**
   * The most characters of text, bytes, and elements of lists that are made for one event: as many
   * as the largest event contains.
   */
  static final int MADE_MAX = 1 << 20;

  /** The size from which the reading of a payload counts, from its first bytes on. */
  public static final int LONG_BYTES = 64 << 10;

  /** The number of characters that a loop over a text handles in one step. */
  public static final int CHARACTERS_A_STEP = 4;

  /** The number of steps between two checks: about a millisecond. */
  private static final int LOOK_EVERY = 1 << 16;

  private static final ThreadLocal<Effort> CURRENT = ThreadLocal.withInitial(Effort::new);

  /**
   * The limit was exceeded. This is an error, because {@code &&} and {@code ||} of CEL continue
   * after an exception.
   */
  public static final class ExceededError extends Error {
    private static final long serialVersionUID = 1L;

    private ExceededError(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * The client has cancelled the query. This is an error for the same reason as {@link
   * ExceededError}.
   */
  private static final class GoneError extends Error {
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

  public static Effort current() {
    return CURRENT.get();
  }

  /**
   * Does the work of one event. The {@code patterns} are the query's constant regular expressions
   * by their text. Work outside of this method belongs to no query.
   *
   * @throws CancellationException if the client has cancelled the query
   */
  public static <T> T within(
      BooleanSupplier gone, Map<String, Pattern> patterns, Supplier<T> work) {
    Effort effort = CURRENT.get();
    effort.begin(gone, patterns);
    try {
      return work.get();
    } catch (GoneError e) {
      throw new CancellationException(e.getMessage());
    } finally {
      effort.begin(Effort::never, Map.of());
    }
  }

  private void begin(BooleanSupplier isGone, Map<String, Pattern> known) {
    patterns = known;
    gone = isGone;
    again();
  }

  public void again() {
    stepsLeft = STEPS_MAX;
    nextLook = STEPS_MAX - LOOK_EVERY;
    left = MADE_MAX;
  }

  /** Returns a constant regular expression of the query; null if the text is not one of them. */
  public @Nullable Pattern pattern(String regex) {
    return patterns.get(regex);
  }

  /**
   * Counts steps in advance. Throws {@link ExceededError} if they are too many, and ends the work
   * if the query is cancelled.
   */
  public void spend(long steps) {
    stepsLeft -= steps;
    if (stepsLeft < nextLook) {
      look();
    }
  }

  /**
   * Counts characters or elements in advance. Throws {@link ExceededError} if they are too many.
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
   * Checks the steps so far. Throws {@link ExceededError} if they are too many, and ends the work
   * if the query is cancelled.
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
