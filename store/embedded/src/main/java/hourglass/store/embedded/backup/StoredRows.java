package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageSource;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowRoom;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;

/**
 * Reads all columns of the rows in page files that nobody changes. Keeps the directory of one hour
 * in memory, and some decoded pages. Not thread-safe.
 */
final class StoredRows {
  private static final long PAGE_CACHE_BYTES = 8 << 20;

  private final PageSource pages;
  private final RowPartsReader reader = new RowPartsReader(PAGE_CACHE_BYTES);

  StoredRows(PageSource pages) {
    this.pages = pages;
  }

  /** Accepts the rows of an hour in their order. */
  interface Sink {
    void whole(RowProof row) throws IOException;

    /** Accepts a row that cannot be read, or differs from the manifest of its seal. */
    void damaged(Row row, CorruptException why) throws IOException;
  }

  /**
   * Reads an hour.
   *
   * @param classes the retention classes that have pages of the hour
   * @param missing the page files that are not there, whose pages are left out
   * @throws CorruptException if a directory is damaged
   */
  void read(Hour hour, Collection<String> classes, Set<Long> missing, Sink sink)
      throws IOException {
    LoadedHour state = new LoadedHour(hour, new RowRoom(Long.MAX_VALUE).entries());
    for (String each : classes) {
      state.add(new HourPages(pages, new ClassHour(each, hour)), missing);
    }
    try {
      for (Row row : state.rows()) {
        read(row, missing.isEmpty(), sink);
      }
    } finally {
      state.pages().forEach(HourPages::forget);
    }
  }

  private void read(Row row, boolean isWhole, Sink sink) throws IOException {
    Manifest found;
    try {
      ManifestBuilder builder = new ManifestBuilder(row.key().hour());
      reader.scan(row.key(), row.content().rowParts(), builder::add);
      found = builder.build(row.content().marks());
      if (found == null) {
        throw new CorruptException(row.key() + ": no column");
      }
      if (isWhole) {
        compare(row, found);
      }
    } catch (CorruptException e) {
      sink.damaged(row, e);
      return;
    }
    sink.whole(new RowProof(row.key(), found.columns(), found.bytes(), found.digest()));
  }

  private static void compare(Row row, Manifest found) {
    Manifest sealed = row.content().manifest();
    if (sealed != null
        && row.content().isSealed()
        && (sealed.digest() != found.digest() || sealed.columns() != found.columns())) {
      throw new CorruptException(
          "%s: %s columns of digest %016x, but it was sealed with %s of %016x; restore its hour"
              .formatted(
                  row.key(), found.columns(), found.digest(), sealed.columns(), sealed.digest()));
    }
  }
}
