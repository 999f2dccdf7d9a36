package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of one row, as read from the table. Filled by one thread, then unchanged. */
final class DirectoryRow {
  private final RowKey row;
  private final List<WriterRecord> writers = new ArrayList<>();
  private @Nullable Manifest manifest;
  private long manifestMicros;

  DirectoryRow(RowKey row) {
    this.row = row;
  }

  void add(WriterRecord writer) {
    writers.add(writer);
  }

  void seal(Manifest found, long writtenMicros) {
    manifest = found;
    manifestMicros = writtenMicros;
  }

  RowKey row() {
    return row;
  }

  /** Sorted by name; empty if only a manifest is left. */
  List<WriterRecord> writers() {
    return writers;
  }

  @Nullable Manifest manifest() {
    return manifest;
  }

  /** The write timestamp of the manifest, 0 without one. A later manifest needs a greater one. */
  long manifestMicros() {
    return manifestMicros;
  }
}
