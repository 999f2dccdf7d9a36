package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
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
 * earlier, without the rest of their hour; if it was lengthened, they stay when the others go. Not
 * thread-safe.
 */
final class TypeExpiry {
  private static final Logger logger = LoggerFactory.getLogger(TypeExpiry.class);

  /** The longest time of a pass over hours, since flushes wait for the same thread. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  private final RetentionPolicy policy;
  private final Hours hours;
  private final PageFiles files;
  private final MissingParts missing;
  private final SectionMerger merger;

  /**
   * The hours that were compared since the start, each with the longest retention that was over
   * then. They are compared again once a longer one is over.
   */
  private final Map<ClassHour, Duration> compared = new HashMap<>();

  /** The outcome for an hour and class. */
  private enum Verdict {
    ALL,
    /** Rows of some types may have been removed. */
    REST_STAYS,
    FAILED
  }

  TypeExpiry(
      RetentionPolicy policy,
      Hours hours,
      PageFiles files,
      MissingParts missing,
      SectionMerger merger) {
    this.policy = policy;
    this.hours = hours;
    this.files = files;
    this.missing = missing;
    this.merger = merger;
  }

  /**
   * Returns the hours that go whole, and removes the rows of others whose time is over. A pass has
   * limited time; the next one continues.
   */
  List<ClassHour> pass(Instant now) {
    long beganNanos = System.nanoTime();
    List<ClassHour> all = files.catalogue().hours();
    compared.keySet().retainAll(Set.copyOf(all));
    List<ClassHour> whole = new ArrayList<>();
    for (ClassHour of : all) {
      Duration age = Duration.between(of.hour().end(), now);
      if (age.isNegative()) {
        continue;
      }
      if (policy.isOverForAll(age)) {
        whole.add(of);
      } else if (isDue(of, age) && System.nanoTime() - beganNanos < PASS_NANOS_MAX) {
        switch (expire(of, age)) {
          case ALL -> whole.add(of);
          case REST_STAYS -> compared.put(of, passed(of, age));
          case FAILED -> {} // the next pass tries again
        }
      }
    }
    return whole;
  }

  private boolean isDue(ClassHour of, Duration age) {
    Duration before = compared.getOrDefault(of, Duration.ZERO);
    return passed(of, age).compareTo(before) > 0;
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
        return Verdict.ALL;
      }
      if (!over.isEmpty()) {
        remove(of, over);
      }
      return Verdict.REST_STAYS;
    } catch (CorruptException e) {
      logger.warn(
          "{}: its types cannot be read{}: {}",
          of,
          isOwnOver ? ", it is deleted, as its retention was when it was stored" : "",
          e.getMessage());
      return isOwnOver ? Verdict.ALL : Verdict.REST_STAYS;
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

  private void remove(ClassHour of, Set<String> types) throws IOException {
    Hour hour = of.hour();
    hours.<Void, IOException>with(
        hour,
        state -> {
          HourPages pages = state.pages(of.retentionClass());
          if (pages != null) {
            remove(state, pages, types);
          }
          return null;
        });
    logger.info("{}: the retention of {} is over, deleted", of, types);
    if (!hours.isIncomplete(hour)) {
      merger.mergeSealed(List.of(of)); // so that the bytes leave the disk too
    }
  }

  private void remove(LoadedHour state, HourPages pages, Set<String> types) throws IOException {
    Map<RowKey, List<PageMeta>> gone =
        pages.pages().stream()
            .filter(page -> types.contains(page.row().type()))
            .collect(Collectors.groupingBy(PageMeta::row));
    try (PageCommit commit = files.beginCommit()) {
      List<PageMeta> all = gone.values().stream().flatMap(List::stream).toList();
      commit.section(pages).remove(all);
      commit.commit();
    }
    for (RowKey key : gone.keySet()) {
      Row row = state.row(key);
      row.update(
          content -> {
            Set<PageRef> before =
                content.pages().stream()
                    .filter(page -> page.pages() == pages)
                    .collect(Collectors.toSet());
            return content.replaced(before, List.of());
          });
    }
  }
}
