package hourglass.store.embedded.maintenance;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares stored hours with the retention of their types as it is now. Events are filed under the
 * retention that held when they were stored. If a setting was shortened since, their rows go
 * earlier, without the rest of their hour; if it was lengthened, they stay when the others go.
 *
 * <p>A pass takes events from a tenth of the hours at most, so that a mistyped retention, or a
 * clock that is wrong when the process starts, leaves time to notice it. Not thread-safe.
 */
public final class TypeExpiry {
  private static final Logger logger = LoggerFactory.getLogger(TypeExpiry.class);

  /** The longest time of a pass over hours, since flushes wait for the same thread. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /** The part of the hours, as a divisor, from which a pass may take events. */
  private static final int SHARE_A_PASS = 10;

  /** A pass may always take events from so many hours: more than can come due in a minute. */
  private static final int HOURS_A_PASS_MIN = 24;

  private final RetentionPolicy policy;
  private final TypeRemoval removal;
  private final PageFiles files;
  private final MissingParts missing;

  /**
   * The hours that were compared since the start. They are compared again once a longer retention
   * is over, or they have new pages.
   */
  private final Map<ClassHour, Compared> compared = new HashMap<>();

  /** Whether the last pass left hours whose time is over. */
  private boolean isBehind;

  /**
   * A comparison.
   *
   * @param passed the longest retention that was over
   * @param newestFile the newest page file of the hour
   */
  private record Compared(Duration passed, long newestFile) {
    static final Compared NEVER = new Compared(Duration.ZERO, 0);
  }

  /** The outcome for an hour and class. */
  private enum Verdict {
    ALL_GO,
    ALL_STAY,
    SOME_REMOVED,
    FAILED
  }

  public TypeExpiry(
      RetentionPolicy policy, TypeRemoval removal, PageFiles files, MissingParts missing) {
    this.policy = policy;
    this.removal = removal;
    this.files = files;
    this.missing = missing;
  }

  /**
   * Returns the hours that go whole, and removes the rows of others whose time is over. A pass has
   * limited time and takes events from a limited number of hours; the next one continues.
   */
  List<ClassHour> pass(Instant now) {
    long beganNanos = System.nanoTime();
    List<ClassHour> all = files.catalogue().hours();
    compared.keySet().retainAll(Set.copyOf(all));
    int left = Math.max(HOURS_A_PASS_MIN, all.size() / SHARE_A_PASS);
    List<ClassHour> whole = new ArrayList<>();
    for (ClassHour of : all) {
      if (left == 0) {
        break;
      }
      Duration age = Duration.between(of.hour().end(), now);
      if (age.isNegative()) {
        continue;
      }
      if (policy.isOverForAll(age)) {
        whole.add(of);
        left--;
      } else if (isDue(of, age) && System.nanoTime() - beganNanos < PASS_NANOS_MAX) {
        Verdict verdict = expire(of, age);
        switch (verdict) {
          case ALL_GO -> whole.add(of);
          case ALL_STAY, SOME_REMOVED ->
              compared.put(of, new Compared(passed(of, age), files.catalogue().newestFile(of)));
          case FAILED -> {} // the next pass tries again
        }
        left -= verdict == Verdict.ALL_GO || verdict == Verdict.SOME_REMOVED ? 1 : 0;
      }
    }
    warnIfBehind(left == 0, now);
    return whole;
  }

  private void warnIfBehind(boolean isBehindNow, Instant now) {
    if (isBehindNow && !isBehind) {
      logger.warn(
          "retention: at {} it is over for many hours at once; a tenth of the hours goes each"
              + " minute. If that is a surprise, stop this process, and check the clock and the"
              + " settings of retention",
          now);
    }
    isBehind = isBehindNow;
  }

  private boolean isDue(ClassHour of, Duration age) {
    Compared before = compared.getOrDefault(of, Compared.NEVER);
    Duration passed = passed(of, age);
    return passed.compareTo(before.passed()) > 0
        || !passed.isZero() && files.catalogue().newestFile(of) != before.newestFile();
  }

  /** The longest retention that is over, of any type or of the class itself; zero if none is. */
  private Duration passed(ClassHour of, Duration age) {
    Duration ofTypes = policy.longestOver(age);
    Duration longest = ofTypes == null ? Duration.ZERO : ofTypes;
    Duration own = StoreFiles.retentionOf(of.retentionClass());
    boolean isOwnLonger = own != null && own.compareTo(age) <= 0 && own.compareTo(longest) > 0;
    return isOwnLonger ? own : longest;
  }

  private Verdict expire(ClassHour of, Duration age) {
    Duration own = StoreFiles.retentionOf(of.retentionClass());
    boolean isOwnOver = own != null && own.compareTo(age) <= 0;
    try {
      Set<String> types = types(of);
      Set<String> over =
          types.stream().filter(type -> policy.isOver(type, age)).collect(Collectors.toSet());
      // The types in missing files are unknown, so these follow what they were stored with.
      if (over.equals(types) && (isOwnOver || missing.files(of).isEmpty())) {
        return Verdict.ALL_GO;
      }
      if (over.isEmpty()) {
        return Verdict.ALL_STAY;
      }
      removal.remove(of, over);
      logger.info("{}: the retention of {} is over, deleted", of, over);
      return Verdict.SOME_REMOVED;
    } catch (CorruptException e) {
      logger.warn(
          "{}: its types cannot be read{}: {}",
          of,
          isOwnOver ? ", it is deleted, as its retention was when it was stored" : "",
          e.getMessage());
      return isOwnOver ? Verdict.ALL_GO : Verdict.ALL_STAY;
    } catch (IOException | UnavailableException e) {
      logger.warn("{}: rows cannot be removed, tried again later: {}", of, e.toString());
      return Verdict.FAILED;
    }
  }

  /** Reads the types of an hour from its files; the hour itself need not be loaded for that. */
  private Set<String> types(ClassHour of) {
    HourPages pages = new HourPages(files, of);
    pages.load(missing.files(of), (row, manifest) -> {});
    try {
      return pages.pages().stream().map(page -> page.row().type()).collect(Collectors.toSet());
    } finally {
      pages.forget();
    }
  }
}
