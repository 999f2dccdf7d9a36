package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.embedded.frames.RecordOutput;
import hourglass.store.embedded.frames.RowRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A damaged page that a repair took out of use. Answers lack its columns, and say so, until its
 * hour or its type is deleted.
 *
 * @param page its number, which is also that of its bytes in {@link PagesAside}
 * @param count the number of its columns
 */
public record LostPage(
    ClassHour of, RowKey row, long page, int count, TimeUuid first, TimeUuid last)
    implements CatalogueRecord {

  /** Returns the loss of a page. */
  public static LostPage of(ClassHour of, PageMeta page) {
    return new LostPage(of, page.row(), page.number(), page.count(), page.first(), page.last());
  }

  @Override
  public void writeTo(RecordOutput out) throws IOException {
    out.putByte(LOST);
    of.writeTo(out);
    RowRecord.write(out, row);
    out.putLong(page);
    out.putInt(count);
    out.putLong(first.ticks());
    out.putLong(first.lsb());
    out.putLong(last.ticks());
    out.putLong(last.lsb());
  }

  static LostPage readFrom(ByteBuffer in) {
    return new LostPage(
        ClassHour.readFrom(in),
        RowRecord.read(in),
        in.getLong(),
        in.getInt(),
        new TimeUuid(in.getLong(), in.getLong()),
        new TimeUuid(in.getLong(), in.getLong()));
  }

  /** Names the row, the number of events and their times for a person. */
  public String describe() {
    return "%s events of %s from %s to %s"
        .formatted(count, row, Ticks.text(first.ticks()), Ticks.text(last.ticks()));
  }
}
