package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.pages.NamesCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file with at least one late arrival, little-endian. Immutable. See docs/arrivals-format.md.
 *
 * <pre>
 * group    millis 8 | records
 * record   log group 8 | number 4 | row (RowRecord) | length 4 | names ({@link NamesCodec})
 * whole    -1 8 | records 8    the first group of a file that an erasure rewrote: all of it counts
 * </pre>
 *
 * @param bytes the valid length of the file
 * @param millis the time at which the last record was added, since 1970
 * @param isRewritten whether an erasure rewrote it, so that lengths which others state are not its
 *     own
 */
record LateArrivalFile(
    long number,
    LateArrivalPlace first,
    LateArrivalPlace last,
    long bytes,
    long millis,
    boolean isRewritten) {
  /** In the place of the time of a group, says that the file was rewritten as a whole. */
  private static final long WHOLE = -1;

  private static final ThreadLocal<NamesCodec> CODEC = ThreadLocal.withInitial(NamesCodec::new);

  /** Accepts records; returns false to end the reading. */
  private interface Sink {
    boolean accept(long millis, LateArrivalPlace place, RowKey row, byte[] names);
  }

  LateArrivalFile grown(LateArrivalFile part) {
    return new LateArrivalFile(number, first, part.last, part.bytes, part.millis, isRewritten);
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
    long whole = recordsIfRewritten(path, bytes);
    boolean isRewritten = whole >= 0;
    LateArrivalFile[] found = new LateArrivalFile[1];
    long[] records = new long[1];
    long end =
        read(
            path,
            number,
            isRewritten ? Files.size(path) : bytes,
            (millis, place, row, names) -> {
              records[0]++;
              LateArrivalFile before = found[0];
              if (place.compareTo(before == null ? after : before.last) <= 0) {
                throw new CorruptException("a record is out of order");
              }
              LateArrivalFile record =
                  new LateArrivalFile(number, place, place, 0, millis, isRewritten);
              found[0] = before == null ? record : before.grown(record);
              return true;
            });
    if (isRewritten && records[0] != whole) {
      throw new CorruptException(
          "%s: %s records, but it was written with %s; restore the file"
              .formatted(path, records[0], whole));
    }
    LateArrivalFile file = found[0];
    return file == null
        ? null
        : new LateArrivalFile(number, file.first, file.last, end, file.millis, isRewritten);
  }

  /** Returns the number of records of a file that an erasure rewrote; -1 for any other. */
  private static long recordsIfRewritten(Path path, long bytes) throws IOException {
    if (bytes >= 0 && bytes <= FramePreamble.BYTES) {
      return -1;
    }
    FrameReader reader = FrameReader.open(path, FramePreamble.LATE_ARRIVALS, -1, true);
    ByteBuffer first = reader == null ? null : reader.next();
    return first != null && first.remaining() == 2 * Long.BYTES && first.getLong() == WHOLE
        ? first.getLong()
        : -1;
  }

  /** Returns whether {@link #rewrite} would change anything. */
  boolean isChanged(Path path, BiFunction<RowKey, Columns, Columns> change) throws IOException {
    boolean[] found = new boolean[1];
    read(
        path,
        LateArrivalPlace.START,
        late -> {
          found[0] = change.apply(late.row(), late.names()) != late.names();
          return !found[0];
        });
    return found[0];
  }

  /**
   * Writes the file with other names, durably under another name. All records keep their places and
   * the number of their names, since a reader may go on from the middle of one.
   *
   * @param change returns what becomes of the names of a row; the same object if they stay
   * @return the file as it is once it has its name
   */
  LateArrivalFile rewrite(
      Path path,
      Disk disk,
      Path made,
      ByteBuffer staging,
      NamesCodec codec,
      BiFunction<RowKey, Columns, Columns> change)
      throws IOException {
    FramePreamble was =
        Objects.requireNonNull(FrameReader.preamble(path, FramePreamble.LATE_ARRIVALS));
    long[] records = new long[1];
    read(path, number, bytes, (time, place, row, names) -> ++records[0] > 0);
    disk.delete(made); // left by a failed attempt
    try (Disk.AppendFile file = disk.create(made)) {
      FrameWriter out = FrameWriter.begin(file, staging, was);
      out.putLong(WHOLE);
      out.putLong(records[0]);
      out.endGroup();
      out.putLong(millis);
      rewriteRecords(path, out, codec, change);
      out.endGroup();
      return new LateArrivalFile(number, first, last, out.durableSize(), millis, true);
    }
  }

  private void rewriteRecords(
      Path path, FrameWriter out, NamesCodec codec, BiFunction<RowKey, Columns, Columns> change)
      throws IOException {
    IOException[] failure = new IOException[1];
    read(
        path,
        number,
        bytes,
        (time, place, row, names) -> {
          try {
            write(out, place, row, changed(row, names, codec, change));
            return true;
          } catch (IOException e) {
            failure[0] = e;
            return false;
          }
        });
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  private static byte[] changed(
      RowKey row, byte[] names, NamesCodec codec, BiFunction<RowKey, Columns, Columns> change) {
    Columns before = codec.decode(names, LateArrival.NAMES_MAX);
    Columns after = change.apply(row, before);
    return after == before ? names : codec.encode(after);
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
        if (millis == WHOLE) {
          continue;
        }
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
    write(out, record.place(), record.row(), codec.encode(record.names()));
  }

  private static void write(FrameWriter out, LateArrivalPlace place, RowKey row, byte[] names)
      throws IOException {
    out.putLong(place.high());
    out.putInt((int) place.low());
    RowRecord.write(out, row);
    out.putInt(names.length);
    out.putBytes(names, 0, names.length);
  }
}
