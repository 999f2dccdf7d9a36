package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.BudgetDrop;
import hourglass.store.DiskBudget;
import hourglass.store.RetentionOutlook;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.memory.Hours;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the oldest hours while the store exceeds its budget of the disk. A pass drops a tenth of
 * the hours at most, and then pauses, so that a mistyped budget or a wrong clock cannot empty a
 * store before somebody sees the warnings. Not thread-safe.
 */
public final class BudgetKeeper {
  private static final Logger logger = LoggerFactory.getLogger(BudgetKeeper.class);

  /** The part of the hours, as a divisor, that a pass may drop; at least one hour. */
  private static final int SHARE_A_PASS = 10;

  private final DiskBudget budget;
  private final RetentionPolicy policy;
  private final DiskUse use;
  private final Hours hours;
  private final PageFiles files;
  private final HourDeletion deletion;
  private final RetentionClock retentionClock;
  private final Clock clock;
  private final LongSupplier steadyMillis;
  private final Consumer<BudgetDrop> listener;

  /** When a pass may drop hours, by the steady clock. */
  private long nextMillis;

  /** Whether the last pass found nothing that it may drop. */
  private boolean isStuck;

  /**
   * @param listener called for each hour after it was dropped
   */
  public BudgetKeeper(
      DiskBudget budget,
      RetentionPolicy policy,
      DiskUse use,
      Hours hours,
      PageFiles files,
      HourDeletion deletion,
      RetentionClock retentionClock,
      Clock clock,
      LongSupplier steadyMillis,
      Consumer<BudgetDrop> listener) {
    this.budget = budget;
    this.policy = policy;
    this.use = use;
    this.hours = hours;
    this.files = files;
    this.deletion = deletion;
    this.retentionClock = retentionClock;
    this.clock = clock;
    this.steadyMillis = steadyMillis;
    this.listener = listener;
    // A process that restarts again and again must not drop more often than one that runs.
    this.nextMillis = steadyMillis.getAsLong() + budget.passPause().toMillis();
  }

  /**
   * Drops hours if the budget is exceeded, and the pause is over. If the bytes of hours that were
   * deleted before exceed it, begins to free them. Does nothing while such bytes are being freed:
   * what was copied out of a file counts twice until the file is deleted.
   */
  public void pass() throws IOException {
    if (!budget.isOn() || deletion.isFreeing()) {
      return;
    }
    long leavingBytes = deletion.leavingBytes();
    DiskUse.Headroom headroom = use.headroom(budget, leavingBytes);
    if (headroom == null || headroom.bytes() >= 0) {
      isStuck = false;
      if (headroom != null && headroom.bytes() < leavingBytes) {
        deletion.freeBytes(); // they count as free here, and so should leave the disk soon
      }
    } else if (steadyMillis.getAsLong() >= nextMillis) {
      dropFor(headroom.why(), -headroom.bytes());
    }
  }

  private void dropFor(BudgetDrop.Why why, long excessBytes) throws IOException {
    Map<Hour, Long> bytes = new TreeMap<>();
    bytesByClass().forEach((of, count) -> bytes.merge(of.hour(), count, Long::sum));
    int most = Math.max(1, bytes.size() / SHARE_A_PASS);
    List<BudgetDrop> drops = new ArrayList<>();
    long left = excessBytes;
    for (Map.Entry<Hour, Long> oldest : bytes.entrySet()) {
      if (left <= 0 || drops.size() == most) {
        break;
      }
      if (mayGo(oldest.getKey())) {
        drops.add(new BudgetDrop(oldest.getKey(), why, oldest.getValue()));
        left -= oldest.getValue();
      }
    }
    warn(why, excessBytes, drops, left);
    if (!drops.isEmpty()) {
      nextMillis = steadyMillis.getAsLong() + budget.passPause().toMillis();
      List<Hour> dropped = drops.stream().map(BudgetDrop::hour).toList();
      deletion.drop(dropped);
      drops.forEach(listener);
      dropFromLog(dropped);
    }
  }

  /**
   * Drops hours from a log that could not be cut, or a replay would bring them back. Nobody has
   * written to them since, or those events would go too.
   */
  private void dropFromLog(List<Hour> dropped) throws IOException {
    deletion.dropFromLog(dropped.stream().filter(hour -> !isOpen(hour)).toList());
  }

  private boolean isOpen(Hour hour) {
    return Boolean.TRUE.equals(hours.ifLoaded(hour, state -> state.openRows() > 0));
  }

  private Map<ClassHour, Long> bytesByClass() {
    Map<ClassHour, Long> bytes = new TreeMap<>();
    for (ClassHour of : files.catalogue().hours()) {
      List<SectionInFile> sections = files.catalogue().sections(of);
      bytes.put(of, sections.stream().mapToLong(SectionInFile::liveBytes).sum());
    }
    return bytes;
  }

  /** Foresees which hours go next; at most so many. */
  public RetentionOutlook outlook(int hoursMax) throws IOException {
    return new Outlook(
            budget, policy, use, bytesByClass(), deletion.leavingBytes(), retentionClock.instant())
        .next(hoursMax);
  }

  /**
   * Whether an hour is old enough, and nobody writes to it: all of it is in pages, and the last
   * write is as long ago as passes are apart. A longer wait would fill a disk during an import.
   */
  private boolean mayGo(Hour hour) {
    Instant now = retentionClock.instant();
    if (hour.end().plus(budget.keepAtLeast()).isAfter(now)) {
      return false;
    }
    long quietBefore = clock.millis() - budget.passPause().toMillis();
    Boolean isWritten =
        hours.ifLoaded(
            hour,
            state ->
                state.openRows() > 0
                    || state.rows().stream().anyMatch(row -> row.lastWriteMillis() > quietBefore));
    return isWritten == null || !isWritten;
  }

  private void warn(BudgetDrop.Why why, long excessBytes, List<BudgetDrop> drops, long left) {
    if (!drops.isEmpty()) {
      logger.warn(
          "retention.{}: exceeded by {} bytes, {} hours are dropped, {} to {}{}",
          why.text(),
          excessBytes,
          drops.size(),
          drops.get(0).hour(),
          drops.get(drops.size() - 1).hour(),
          left > 0 ? "; more in " + budget.passPause() + " if it is still exceeded" : "");
    } else if (!isStuck) {
      logger.warn(
          "retention.{}: exceeded by {} bytes, and no hour may be dropped: all are younger than"
              + " retention.keep-at-least, {}, or are being written to",
          why.text(),
          excessBytes,
          budget.keepAtLeast());
    }
    isStuck = drops.isEmpty();
  }
}
