package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.pages.NamesCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file with at least one late arrival, little-endian. Immutable. See docs/arrivals-format.md.
 *
 * <pre>
 * group    millis 8 | records
 * record   log group 8 | number 4 | row (RowRecord) | length 4 | names ({@link NamesCodec})
 * </pre>
 *
 * @param bytes the valid length of the file
 * @param millis the time at which the last record was added, since 1970
 */
record LateArrivalFile(
    long number, LateArrivalPlace first, LateArrivalPlace last, long bytes, long millis) {
  private static final ThreadLocal<NamesCodec> CODEC = ThreadLocal.withInitial(NamesCodec::new);

  /** Accepts records; returns false to end the reading. */
  private interface Sink {
    boolean accept(long millis, LateArrivalPlace place, RowKey row, byte[] names);
  }

  LateArrivalFile grown(LateArrivalFile part) {
    return new LateArrivalFile(number, first, part.last, part.bytes, part.millis);
  }

  /**
   * Loads a file; null if it has no record, as after a crash.
   *
   * @param bytes the valid length; -1 for all bytes that a crash did not tear
   * @param after the last place in the previous file; all places must be greater
   * @throws CorruptException naming the file, the place and the remedy
   */
  static @Nullable LateArrivalFile load(Path path, long number, long bytes, LateArrivalPlace after)
      throws IOException {
    if (bytes == 0) {
      return null;
    }
    LateArrivalFile[] found = new LateArrivalFile[1];
    long end =
        read(
            path,
            number,
            bytes,
            (millis, place, row, names) -> {
              LateArrivalFile before = found[0];
              if (place.compareTo(before == null ? after : before.last) <= 0) {
                throw new CorruptException("a record is out of order");
              }
              LateArrivalFile record = new LateArrivalFile(number, place, place, 0, millis);
              found[0] = before == null ? record : before.grown(record);
              return true;
            });
    LateArrivalFile file = found[0];
    return file == null
        ? null
        : new LateArrivalFile(number, file.first, file.last, end, file.millis);
  }

  /** Reads the records after a place in order, until the sink refuses one. */
  void read(Path path, LateArrivalPlace after, Predicate<LateArrival> sink) throws IOException {
    read(
        path,
        number,
        bytes,
        (millis, place, row, names) ->
            place.compareTo(after) <= 0
                || sink.test(
                    new LateArrival(place, row, CODEC.get().decode(names, LateArrival.NAMES_MAX))));
  }

  /** Reads the file, and returns the end of the part that was read. */
  private static long read(Path path, long number, long bytes, Sink sink) throws IOException {
    FrameReader reader = FrameReader.open(path, FramePreamble.LATE_ARRIVALS, bytes, bytes < 0);
    if (reader == null) {
      return 0;
    }
    if (reader.preamble().number() != number) {
      throw new CorruptException(
          path + ": offset 0: this is file " + reader.preamble().number() + "; restore the file");
    }
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        long millis = group.getLong();
        while (group.hasRemaining()) {
          long logGroup = group.getLong();
          LateArrivalPlace place = new LateArrivalPlace(logGroup, group.getInt());
          RowKey row = RowRecord.read(group);
          byte[] names = new byte[RowRecord.bounded(group.getInt(), 1, group.remaining())];
          group.get(names);
          if (!sink.accept(millis, place, row, names)) {
            return reader.goodEnd();
          }
        }
      } catch (RuntimeException e) {
        throw new CorruptException(
            path + ": before offset " + reader.goodEnd() + ": " + e + "; restore the file", e);
      }
    }
    return reader.goodEnd();
  }

  static void write(FrameWriter out, LateArrival record, NamesCodec codec) throws IOException {
    out.putLong(record.place().high());
    out.putInt((int) record.place().low());
    RowRecord.write(out, record.row());
    byte[] names = codec.encode(record.names());
    out.putInt(names.length);
    out.putBytes(names, 0, names.length);
  }
}
