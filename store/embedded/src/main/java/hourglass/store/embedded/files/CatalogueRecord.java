package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.DroppedHours;
import hourglass.store.embedded.frames.RecordOutput;
import hourglass.store.embedded.frames.TypeHourRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A record of the catalogue, little-endian.
 *
 * <pre>
 * FILE  1 | file 8 | bytes 8 | newest group 8 | gone bytes 8 | gone since 4
 *         | sections 4 | sections times: {@link PageSection}
 *         | replaced 4 | replaced times: class length 1, class | hour 4 | bytes 8
 * GONE  2 | class length 1, class | hour 4 | since 4
 * LOG   3 | segment 8 | newest file of notes 8 | its bytes 8
 * DROPPED  4 | from hour 4 | to hour 4, included
 * DROPPED_TYPE  5 | hour 4 | type length 4 | type UTF-8
 * LOST  6 | class length 1, class | hour 4 | row ({@link hourglass.store.embedded.frames.RowRecord})
 *         | page 8 | columns 4 | first 16 | last 16
 * LOSS_ENDED  7 | class length 1, class | hour 4 | page 8
 * </pre>
 */
public sealed interface CatalogueRecord
    permits PageFileRecord,
        LostPage,
        CatalogueRecord.LossEnded,
        CatalogueRecord.Gone,
        CatalogueRecord.Log,
        CatalogueRecord.Dropped,
        CatalogueRecord.DroppedType {
  byte FILE = 1;
  byte GONE = 2;
  byte LOG = 3;
  byte DROPPED = 4;
  byte DROPPED_TYPE = 5;
  byte LOST = 6;
  byte LOSS_ENDED = 7;

  void writeTo(RecordOutput out) throws IOException;

  /**
   * An hour of a class that was deleted, with all its sections.
   *
   * @param since the hour of the deletion since 1970
   */
  record Gone(ClassHour of, int since) implements CatalogueRecord {
    @Override
    public void writeTo(RecordOutput out) throws IOException {
      out.putByte(GONE);
      of.writeTo(out);
      out.putInt(since);
    }
  }

  /** A lost page that answers do not lack any more: its type was deleted, or it is in use again. */
  record LossEnded(ClassHour of, long page) implements CatalogueRecord {
    @Override
    public void writeTo(RecordOutput out) throws IOException {
      out.putByte(LOSS_ENDED);
      of.writeTo(out);
      out.putLong(page);
    }
  }

  /**
   * The log that is still needed: all columns before {@code segment} are in pages, and their late
   * arrivals in files, of which {@code notesFile} is the newest; 0 if there is none.
   */
  record Log(long segment, long notesFile, long notesBytes) implements CatalogueRecord {
    @Override
    public void writeTo(RecordOutput out) throws IOException {
      out.putByte(LOG);
      out.putLong(segment);
      out.putLong(notesFile);
      out.putLong(notesBytes);
    }
  }

  /** Hours that were dropped, so that answers say so. It stays after their sections have ended. */
  record Dropped(DroppedHours.Range hours) implements CatalogueRecord {
    @Override
    public void writeTo(RecordOutput out) throws IOException {
      out.putByte(DROPPED);
      out.putInt(hours.from().epochHours());
      out.putInt(hours.to().epochHours());
    }

    private static Dropped readFrom(ByteBuffer in) {
      return new Dropped(new DroppedHours.Range(new Hour(in.getInt()), new Hour(in.getInt())));
    }
  }

  /** A type of an hour that was dropped, like {@link Dropped}. */
  record DroppedType(TypeHour of) implements CatalogueRecord {
    @Override
    public void writeTo(RecordOutput out) throws IOException {
      out.putByte(DROPPED_TYPE);
      TypeHourRecord.write(out, of);
    }

    private static DroppedType readFrom(ByteBuffer in) {
      return new DroppedType(TypeHourRecord.read(in));
    }
  }

  /** Returns the records of dropped hours and types. */
  static Stream<CatalogueRecord> of(DroppedHours dropped) {
    return Stream.concat(
        dropped.ranges().stream().map(Dropped::new),
        dropped.types().stream().map(DroppedType::new));
  }

  static void replay(ByteBuffer in, Consumer<CatalogueRecord> sink) {
    while (in.hasRemaining()) {
      byte kind = in.get();
      switch (kind) {
        case FILE -> sink.accept(PageFileRecord.readFrom(in));
        case GONE -> sink.accept(new Gone(ClassHour.readFrom(in), in.getInt()));
        case LOST -> sink.accept(LostPage.readFrom(in));
        case LOSS_ENDED -> sink.accept(new LossEnded(ClassHour.readFrom(in), in.getLong()));
        case LOG -> sink.accept(new Log(in.getLong(), in.getLong(), in.getLong()));
        case DROPPED -> sink.accept(Dropped.readFrom(in));
        case DROPPED_TYPE -> sink.accept(DroppedType.readFrom(in));
        default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
      }
    }
  }
}
