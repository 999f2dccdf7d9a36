package hourglass.query.filter;

import com.google.re2j.Pattern;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits work and memory for one event, counted by thread. A step takes about 15 ns. Otherwise
 * {@code data.list.exists(x, data.text.contains(x))} takes hours, and {@code ["x"].map(a, a + a)}
 * in a chain fills the memory.
 */
public final class Effort {
  /** Half a second: one megabyte, each character through 32 instructions. */
  static final long STEPS_MAX = 1 << 25;

  /** Characters of text, bytes, and elements of lists, as many as the largest event has. */
  static final int MADE_MAX = 1 << 20;

  /** Payloads of this size or more are counted from the first look at their bytes. */
  public static final int LONG_BYTES = 64 << 10;

  /** Characters that a loop over a text handles in one step. */
  public static final int CHARACTERS_A_STEP = 4;

  /** About a millisecond. */
  private static final int LOOK_EVERY = 1 << 16;

  private static final ThreadLocal<Effort> CURRENT = ThreadLocal.withInitial(Effort::new);

  /**
   * The limit was exceeded. An error, because {@code &&} and {@code ||} of CEL continue after an
   * exception.
   */
  public static final class ExceededError extends Error {
    private static final long serialVersionUID = 1L;

    private ExceededError(String message) {
      super(message, null, false, false);
    }
  }

  /** The client gave the query up; an error for the same reason. */
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
   * Does the work of one event; {@code patterns} are the query's constant regular expressions by
   * their text. Work outside belongs to no query.
   *
   * @throws CancellationException if the client gave the query up
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

  /** Null if the text is no constant of the query. */
  public @Nullable Pattern pattern(String regex) {
    return patterns.get(regex);
  }

  /** Counts steps in advance. Throws {@link ExceededError}, or ends the work if it is given up. */
  public void spend(long steps) {
    stepsLeft -= steps;
    if (stepsLeft < nextLook) {
      look();
    }
  }

  /** Counts characters or elements in advance. Throws {@link ExceededError}. */
  public void make(long size) {
    if (size > left) {
      throw new ExceededError(
          "makes texts or lists by + or map of more than "
              + MADE_MAX
              + " characters and elements, or reads as many from lists and objects");
    }
    left -= (int) size;
  }

  /** Throws {@link ExceededError}, or ends the work if it is given up. */
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
