package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.UnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals rows whose hour has been over for a while and that stayed quiet: their pages are put in
 * order, read through once (which also checks every one of them), and accounted for in a manifest.
 * A late write reopens a row by its mark alone. Not thread-safe.
 */
final class Sealer {
  private static final Logger log = LoggerFactory.getLogger(Sealer.class);

  /** Hours looked at in one pass: a store with years of them is gone through bit by bit. */
  private static final int HOURS_A_PASS = 64;

  private final Hours hours;
  private final RowScan scan;
  private final Compactor compactor;
  private final Function<String, String> retentionClassOfType;
  private final Clock clock;
  private final Duration sealAfter;

  /** Hours found with every row sealed; a write takes an hour out. */
  private final Set<Hour> done = new HashSet<>();

  Sealer(
      Hours hours,
      RowReader reader,
      Compactor compactor,
      Function<String, String> retentionClassOfType,
      Clock clock,
      Duration sealAfter) {
    this.hours = hours;
    this.scan = new RowScan(reader);
    this.compactor = compactor;
    this.retentionClassOfType = retentionClassOfType;
    this.clock = clock;
    this.sealAfter = sealAfter;
  }

  /** An hour was written to: it is to be looked at again. */
  synchronized void reopened(Hour hour) {
    done.remove(hour);
  }

  /** Seals what is due; newest hours first. */
  void pass() {
    long dueBefore = clock.millis() - sealAfter.toMillis();
    List<Hour> candidates = new ArrayList<>(hours.known(Hour.FIRST, Hour.LAST));
    Collections.reverse(candidates);
    int looked = 0;
    for (Hour hour : candidates) {
      if (hour.end().toEpochMilli() <= dueBefore && !isDone(hour) && looked++ < HOURS_A_PASS) {
        trySealing(hour, dueBefore);
      }
    }
  }

  private synchronized boolean isDone(Hour hour) {
    return done.contains(hour);
  }

  private synchronized void markDone(Hour hour) {
    done.add(hour);
  }

  /** One hour that cannot be sealed keeps no other from it. */
  private void trySealing(Hour hour, long dueBefore) {
    try {
      sealHour(hour, dueBefore);
    } catch (IOException | UncheckedIOException | UnavailableException e) {
      reopened(hour);
      log.warn("{}: cannot be sealed, tried again later: {}", hour, e.toString());
    } catch (RuntimeException e) {
      log.warn("{}: cannot be sealed, not tried again before it is written to", hour, e);
    }
  }

  private void sealHour(Hour hour, long dueBefore) throws IOException {
    if (hours.isIncomplete(hour)) {
      return; // what is missing may be put back
    }
    markDone(hour); // before looking: a write meanwhile takes it out again
    boolean all =
        hours.with(
            hour,
            state -> {
              try {
                boolean sealed = true;
                for (Row row : state.rows()) {
                  sealed &= seal(state, row, dueBefore);
                }
                for (PageFiles files : state.files()) {
                  compactor.rewriteIfMostlyDead(state, files);
                }
                hours.noteDiskBytes(state);
                return sealed;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    if (!all) {
      reopened(hour);
    }
  }

  /** Whether the row is sealed now. */
  private boolean seal(HourState state, Row row, long dueBefore) throws IOException {
    RowContent content = row.content();
    if (isSealed(content)) {
      return true;
    }
    if (!content.open().isEmpty() || row.lastWriteMillis() > dueBefore) {
      return false;
    }
    PageFiles files = hours.filesFor(state, retentionClassOfType.apply(row.key().type()));
    if (Compactor.isWorthIt(content)) {
      compactor.compact(row, files);
      content = row.content();
    }
    ManifestBuilder builder = new ManifestBuilder(row.key().hour());
    scan.scan(row.key(), content, builder::add);
    Manifest manifest = builder.build(Marks.of(content));
    if (manifest != null) {
      files.commitSealed(row.key(), manifest);
      row.update(now -> now.sealed(manifest));
    }
    return isSealed(row.content());
  }

  static boolean isSealed(RowContent content) {
    Manifest manifest = content.manifest();
    return manifest != null && manifest.marks().equals(Marks.of(content));
  }
}
