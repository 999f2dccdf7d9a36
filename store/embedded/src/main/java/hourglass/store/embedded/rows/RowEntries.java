package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.util.Comparator;
import java.util.List;

/** Creates directory entries without reading a page. */
public final class RowEntries {
  private RowEntries() {}

  /** The entry of a row with columns. */
  public static RowEntry of(Row row) {
    RowContent content = row.content();
    Manifest manifest = content.manifest();
    if (manifest != null && content.isSealed()) {
      return new RowEntry(
          row.key(),
          manifest.columns(),
          manifest.bytes(),
          manifest.first(),
          manifest.last(),
          manifest,
          manifest.marks());
    }
    List<RowPart> parts = content.parts().toList();
    Comparator<TimeUuid> order = Comparator.naturalOrder();
    return new RowEntry(
        row.key(),
        parts.stream().mapToLong(RowPart::count).sum(),
        parts.stream().mapToLong(RowPart::payloadBytes).sum(),
        parts.stream().map(RowPart::first).min(order).orElseThrow(),
        parts.stream().map(RowPart::last).max(order).orElseThrow(),
        manifest,
        Marks.of(content));
  }
}
