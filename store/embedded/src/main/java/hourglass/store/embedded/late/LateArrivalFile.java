package hourglass.store.embedded.late;

import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.codec.NamesCodec;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file of late arrivals that holds at least one. Immutable. See docs/arrivals-format.md.
 *
 * @param number the number of the file
 * @param first the place of the first record
 * @param last the place of the last record
 * @param bytes the valid length of the file
 * @param millis the time when the last record was added, since 1970
 */
record LateArrivalFile(
    long number, LateArrivalPlace first, LateArrivalPlace last, long bytes, long millis) {
  private static final ThreadLocal<NamesCodec> CODEC = ThreadLocal.withInitial(NamesCodec::new);

  /** Receives the records of a file in order; returns false to stop. */
  private interface Sink {
    boolean take(long millis, LateArrivalRecord note);
  }

  /** The file after more records were appended. */
  static LateArrivalFile grown(
      @Nullable LateArrivalFile before,
      long number,
      LateArrivalPlace first,
      LateArrivalPlace last,
      long bytes,
      long millis) {
    return new LateArrivalFile(number, before == null ? first : before.first, last, bytes, millis);
  }

  /**
   * Reads a file; null if it has no record, as after a crash.
   *
   * @param bytes the valid length; -1 for everything that a crash did not tear
   * @param after the last place of the file before; all places must be greater
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
            (millis, note) -> {
              LateArrivalPlace last = found[0] == null ? after : found[0].last;
              if (note.place().compareTo(last) <= 0) {
                throw new CorruptException("a note stands before the one ahead of it");
              }
              found[0] = grown(found[0], number, note.place(), note.place(), 0, millis);
              return true;
            });
    LateArrivalFile file = found[0];
    return file == null
        ? null
        : new LateArrivalFile(number, file.first, file.last, end, file.millis);
  }

  /**
   * Passes on records after a place, in order, until one is refused.
   *
   * @throws CorruptException as {@link #load}
   */
  void read(Path path, LateArrivalPlace after, Predicate<LateArrival> wanted) throws IOException {
    read(
        path,
        number,
        bytes,
        (millis, note) ->
            note.place().compareTo(after) <= 0 || wanted.test(note.unpack(CODEC.get())));
  }

  /** Returns the end of the part that was read. */
  private static long read(Path path, long number, long bytes, Sink sink) throws IOException {
    FrameReader reader = FrameReader.open(path, FramePreamble.ARRIVALS, bytes, bytes < 0);
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
          if (!sink.take(millis, LateArrivalRecord.read(group))) {
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
}
