package hourglass.store.embedded.frames;

import hourglass.store.CorruptException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * The beginning of a file of frames, little-endian.
 *
 * <pre>
 *  0        4        8                16               24               32
 * +--------+--------+----------------+----------------+----------------+--------+
 * | magic  | version| number         | first group    | previous end   | CRC32C |
 * +--------+--------+----------------+----------------+----------------+--------+
 * </pre>
 *
 * @param number the number of a log segment, or of a file of late arrivals, first times or an
 *     erasure, or the count of catalogue files
 * @param previousEnd the valid length of the previous file, 0 if there is none; bytes after it were
 *     never acknowledged
 */
public record FramePreamble(int magic, long number, long firstGroup, long previousEnd) {
  public static final int BYTES = 36;
  public static final int LOG = 0x474c4748; // "HGLG"
  public static final int LATE_ARRIVALS = 0x52414748; // "HGAR"
  public static final int FIRST_TIMES = 0x54464748; // "HGFT"
  public static final int CATALOGUE = 0x41434748; // "HGCA"
  public static final int ERASURE = 0x52454748; // "HGER"

  private static final int CRC_AT = 32;

  /** The version of a kind. Other versions are refused. */
  static int version(int magic) {
    return switch (magic) {
      case LOG -> 3;
      case CATALOGUE -> 2;
      default -> 1;
    };
  }

  public void write(ByteBuffer buffer) {
    int at = buffer.position();
    buffer
        .putInt(magic)
        .putInt(version(magic))
        .putLong(number)
        .putLong(firstGroup)
        .putLong(previousEnd);
    buffer.putInt(FrameHeader.crc(buffer, at, CRC_AT));
  }

  /**
   * Whether a crash left a file without a preamble. The preamble is forced before anything follows
   * it, so such a file is short or all zeros.
   */
  static boolean isUnfinished(ByteBuffer file) {
    if (file.limit() > BYTES) {
      return false;
    }
    return file.limit() < BYTES || IntStream.range(0, BYTES).allMatch(i -> file.get(i) == 0);
  }

  static FramePreamble read(ByteBuffer file, int magic, Path path) {
    if (file.getInt(0) != magic) {
      throw new CorruptException(path + ": offset 0: not a file of this kind; restore it");
    }
    int version = file.getInt(4);
    if (file.getInt(CRC_AT) != FrameHeader.crc(file, 0, CRC_AT)) {
      throw new CorruptException(path + ": offset 0: damaged preamble; restore the file");
    }
    if (version != version(magic)) {
      throw new CorruptException(
          "%s: format version %s, this program reads %s; use the program that wrote it"
              .formatted(path, version, version(magic)));
    }
    return new FramePreamble(magic, file.getLong(8), file.getLong(16), file.getLong(24));
  }
}
