package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileRange;
import java.time.Duration;
import java.util.Comparator;

/**
 * A planned merge of the sections of an hour and class in a range of files.
 *
 * @param bytes the bytes that it copies, without those of its directory
 */
record SectionMerge(ClassHour of, FileRange files, long bytes) {
  /** Sorts merges so that those that may share a file follow each other. */
  static final Comparator<SectionMerge> ORDER =
      Comparator.comparing((SectionMerge merge) -> merge.of().retentionClass())
          .thenComparing(merge -> merge.of().hour());

  /** The part of their retention, as a divisor, by which the hours of a file may differ. */
  private static final int SPAN_SHARE = 24;

  /** Whether a later merge may share the file of this one: their hours expire together. */
  boolean mayShareWith(SectionMerge next) {
    Duration keep = StoreFiles.retentionOf(of.retentionClass());
    return of.retentionClass().equals(next.of.retentionClass())
        && (keep == null
            || next.of.hour().epochHours() - of.hour().epochHours() <= keep.toHours() / SPAN_SHARE);
  }
}
