package hourglass.store.embedded.files;

import hourglass.store.embedded.frames.RecordOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a page file that belongs to one hour of a class, little-endian.
 *
 * <pre>
 * class length 1, class ASCII | hour 4 | kind 1 | replaces from 8
 * | directory at 8 | its length 4 | its CRC32C 4 | bytes 8 | dead bytes 8
 * | removals 4 | removals times: file 8, bytes 8
 * </pre>
 *
 * @param replacesFrom the sections of the same hour and class in the files {@code [replacesFrom,
 *     this file)} are replaced by this one
 * @param at the place of the {@link SectionDirectory} in the file; {@code length} and {@code
 *     checksum} are those of the directory
 * @param bytes the bytes of its pages, indexes and directory
 * @param deadBytes the bytes of its pages that later sections removed
 * @param removed the bytes that this section removes from earlier ones, by their files
 */
public record PageSection(
    ClassHour of,
    Kind kind,
    long replacesFrom,
    long at,
    int length,
    int checksum,
    long bytes,
    long deadBytes,
    Map<Long, Long> removed) {

  public PageSection {
    removed = Map.copyOf(removed);
  }

  /** The origin of a section. A file has sections of one kind. */
  public enum Kind {
    /** It was flushed or sealed together with other hours and classes, and is merged later. */
    ADDED,
    /** Sections were merged into it; its file has a single class and hours that are close. */
    MERGED
  }

  void writeTo(RecordOutput out) throws IOException {
    of.writeTo(out);
    out.putByte(kind.ordinal());
    out.putLong(replacesFrom);
    out.putLong(at);
    out.putInt(length);
    out.putInt(checksum);
    out.putLong(bytes);
    out.putLong(deadBytes);
    out.putInt(removed.size());
    for (Map.Entry<Long, Long> each : new TreeMap<>(removed).entrySet()) {
      out.putLong(each.getKey());
      out.putLong(each.getValue());
    }
  }

  static PageSection readFrom(ByteBuffer in) {
    ClassHour of = ClassHour.readFrom(in);
    Kind kind = Kind.values()[in.get()];
    long replacesFrom = in.getLong();
    long at = in.getLong();
    int length = in.getInt();
    int checksum = in.getInt();
    long bytes = in.getLong();
    long deadBytes = in.getLong();
    Map<Long, Long> removed = new TreeMap<>();
    for (int left = in.getInt(); left > 0; left--) {
      removed.put(in.getLong(), in.getLong());
    }
    return new PageSection(of, kind, replacesFrom, at, length, checksum, bytes, deadBytes, removed);
  }

  /** Returns the same section as a rewritten catalogue lists it. */
  PageSection withDead(long dead) {
    return new PageSection(of, kind, replacesFrom, at, length, checksum, bytes, dead, Map.of());
  }
}
