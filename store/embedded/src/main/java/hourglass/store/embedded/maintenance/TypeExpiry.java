package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    SOME_GO,
    ALL_STAY,
    /** The next pass tries again. */
    UNKNOWN
  }

  /** The hours that a pass deletes whole, and the types that it removes from others. */
  private record Due(List<ClassHour> whole, Map<ClassHour, Set<String>> types) {
    Due() {
      this(new ArrayList<>(), new LinkedHashMap<>());
    }

    boolean has(int most) {
      return whole.size() >= most || types.size() >= most;
    }
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
    List<ClassHour> all = files.catalogue().hours();
    compared.keySet().retainAll(Set.copyOf(all));
    int most = Math.max(HOURS_A_PASS_MIN, all.size() / SHARE_A_PASS);
    Due due = due(all, now, most);
    remove(due.types(), now);
    warnIfBehind(due.has(most), now);
    return due.whole();
  }

  /**
   * Finds at most so many hours that go whole, and as many that lose types. They do not share the
   * limit: a full disk has no room to remove types, and gets it from hours that go whole.
   */
  private Due due(List<ClassHour> all, Instant now, int most) {
    long beganNanos = System.nanoTime();
    Due due = new Due();
    for (ClassHour of : all) {
      Duration age = age(of, now);
      if (due.whole().size() == most || age.isNegative()) {
        break; // the hours are sorted
      }
      if (policy.isOverForAll(age)) {
        due.whole().add(of);
      } else if (isDue(of, age) && System.nanoTime() - beganNanos < PASS_NANOS_MAX) {
        compare(of, age, due, most);
      }
    }
    return due;
  }

  private static Duration age(ClassHour of, Instant now) {
    return Duration.between(of.hour().end(), now);
  }

  private void compare(ClassHour of, Duration age, Due due, int most) {
    Set<String> over = new HashSet<>();
    switch (verdict(of, age, over)) {
      case ALL_GO -> due.whole().add(of);
      case SOME_GO -> {
        if (due.types().size() < most) {
          due.types().put(of, over);
        }
      }
      case ALL_STAY -> note(of, age);
      case UNKNOWN -> {}
    }
  }

  private void note(ClassHour of, Duration age) {
    compared.put(of, new Compared(passed(of, age), files.catalogue().newestFile(of)));
  }

  private void remove(Map<ClassHour, Set<String>> types, Instant now) {
    Set<ClassHour> unreadable;
    try {
      unreadable = removal.remove(types);
    } catch (IOException | UnavailableException e) {
      logger.warn("rows whose retention is over stay, tried again later: {}", e.toString());
      return;
    }
    types.forEach(
        (of, over) -> {
          note(of, age(of, now));
          if (!unreadable.contains(of)) {
            logger.info("{}: the retention of {} is over, deleted", of, over);
          }
        });
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
    return own != null && own.compareTo(age) <= 0 && own.compareTo(longest) > 0 ? own : longest;
  }

  /** Compares an hour, and adds the types whose time is over. */
  private Verdict verdict(ClassHour of, Duration age, Set<String> over) {
    Duration own = StoreFiles.retentionOf(of.retentionClass());
    boolean isOwnOver = own != null && own.compareTo(age) <= 0;
    try {
      Set<String> types = types(of);
      types.stream().filter(type -> policy.isOver(type, age)).forEach(over::add);
      // The types in missing files are unknown, so these follow what they were stored with.
      if (over.equals(types) && (isOwnOver || missing.files(of).isEmpty())) {
        return Verdict.ALL_GO;
      }
      return over.isEmpty() ? Verdict.ALL_STAY : Verdict.SOME_GO;
    } catch (CorruptException e) {
      logger.warn(
          "{}: its types cannot be read{}: {}",
          of,
          isOwnOver ? ", it is deleted, as its retention was when it was stored" : "",
          e.getMessage());
      return isOwnOver ? Verdict.ALL_GO : Verdict.ALL_STAY;
    } catch (UnavailableException e) {
      logger.warn("{}: its types cannot be read, tried again later: {}", of, e.toString());
      return Verdict.UNKNOWN;
    }
  }

  /**
   * Reads the types of an hour from its files, and adds those of lost pages, whose losses stay as
   * long as their events would. The hour itself need not be loaded for that.
   */
  private Set<String> types(ClassHour of) {
    HourPages pages = new HourPages(files, of);
    pages.load(missing.files(of), (row, manifest) -> {});
    try {
      return Stream.concat(
              pages.pages().stream().map(PageMeta::row), pages.lost().stream().map(LostPage::row))
          .map(RowKey::type)
          .collect(Collectors.toSet());
    } finally {
      pages.forget();
    }
  }
}
