package hourglass.store.embedded.files;

import hourglass.bucketing.Identity;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.frames.FrameHeader;
import hourglass.store.embedded.frames.RecordBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The head and the foot of a page file, little-endian. They describe the file to those who lack
 * CATALOGUE; no read of a page needs them. See docs/page-file-format.md.
 *
 * <pre>
 * 0        4        8                16       20
 * +--------+--------+----------------+--------+------- - - --+------- - - ---+------+
 * | magic  | version| number         | CRC32C | pages and    | directories   | foot |
 * | HGPF   | 1      |                | of 0-16| indexes      | of sections   |      |
 * +--------+--------+----------------+--------+------- - - --+------- - - ---+------+
 *
 * +--------- - - ----------+--------+--------+--------+
 * | record of the file, as | length | CRC32C | magic  |   foot
 * | CATALOGUE lists it     | of it  | of both| HGPE   |
 * +--------- - - ----------+--------+--------+--------+
 * </pre>
 */
final class PageFileFormat {
  static final int HEAD_BYTES = 20;
  static final int END_BYTES = 12;

  private static final int HEAD_MAGIC = 0x46504748; // "HGPF"
  private static final int END_MAGIC = 0x45504748; // "HGPE"
  private static final int VERSION = 1;
  private static final int HEAD_CRC_AT = 16;

  /** The longest record of a file that is read, above that of any file that is written. */
  private static final int RECORD_BYTES_MAX = 256 << 20;

  private static final int IDENTITY_BYTES = 16;

  private PageFileFormat() {}

  static ByteBuffer head(long number) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(HEAD_MAGIC).putInt(VERSION).putLong(number);
    head.putInt(FrameHeader.crc(head, 0, HEAD_CRC_AT));
    return head.flip();
  }

  static ByteBuffer foot(PageFileRecord file) throws IOException {
    RecordBuffer out = new RecordBuffer();
    file.withBytes(0).writeTo(out);
    byte[] record = out.toBytes();
    ByteBuffer foot = ByteBuffer.allocate(record.length + END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    foot.put(record).putInt(record.length);
    foot.putInt(FrameHeader.crc(foot, 0, record.length + Integer.BYTES)).putInt(END_MAGIC);
    return foot.flip();
  }

  /**
   * Reads what a file says of itself.
   *
   * @throws CorruptException if the head or the foot is damaged, or those of another file
   */
  static PageFileRecord read(Path path, long number) throws IOException {
    Foot foot = foot(path, number);
    return record(path, foot.at(), foot.record().duplicate().order(ByteOrder.LITTLE_ENDIAN), number)
        .withBytes(foot.fileBytes());
  }

  /** The record of a foot that matches its checksum, as bytes. */
  private record Foot(long at, ByteBuffer record, long fileBytes) {}

  /** Returns the first half of a SHA-256 of the file's length and foot, in hexadecimals. */
  static String identity(Path path, long number) throws IOException {
    Foot foot = foot(path, number);
    MessageDigest digest = Identity.newSha256();
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(foot.fileBytes()).flip());
    digest.update(foot.record().duplicate());
    return HexFormat.of().formatHex(digest.digest(), 0, IDENTITY_BYTES);
  }

  private static Foot foot(Path path, long number) throws IOException {
    if (!FileKind.FILE.isAt(path)) {
      throw damaged(path, 0, "missing");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < HEAD_BYTES + END_BYTES) {
        throw damaged(path, size, "cut off");
      }
      checkHead(path, read(channel, 0, HEAD_BYTES), number);
      ByteBuffer end = read(channel, size - END_BYTES, END_BYTES);
      int length = end.getInt(0);
      if (end.getInt(8) != END_MAGIC
          || length < 0
          || length > Math.min(RECORD_BYTES_MAX, size - HEAD_BYTES - END_BYTES)) {
        throw damaged(path, size - END_BYTES, "no foot");
      }
      long at = size - END_BYTES - length;
      ByteBuffer foot = read(channel, at, length + Integer.BYTES);
      if (FrameHeader.crc(foot, 0, length + Integer.BYTES) != end.getInt(4)) {
        throw damaged(path, at, "a damaged foot");
      }
      return new Foot(at, foot.limit(length), size);
    }
  }

  private static PageFileRecord record(Path path, long at, ByteBuffer foot, long number) {
    PageFileRecord[] found = {null};
    try {
      CatalogueRecord.replay(foot, record -> found[0] = (PageFileRecord) record);
    } catch (RuntimeException e) {
      throw damaged(path, at, "a damaged foot: " + e);
    }
    if (found[0] == null || found[0].number() != number) {
      throw damaged(path, at, "the foot of another file");
    }
    return found[0];
  }

  private static void checkHead(Path path, ByteBuffer head, long number) {
    if (head.getInt(0) != HEAD_MAGIC) {
      throw damaged(path, 0, "not a page file");
    }
    if (head.getInt(HEAD_CRC_AT) != FrameHeader.crc(head, 0, HEAD_CRC_AT)) {
      throw damaged(path, 0, "a damaged head");
    }
    if (head.getInt(4) != VERSION) {
      throw new CorruptException(
          "%s: format version %s, this program reads %s; use the program that wrote it"
              .formatted(path, head.getInt(4), VERSION));
    }
    if (head.getLong(8) != number) {
      throw damaged(path, 0, "the head of file " + head.getLong(8));
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) >= 0) {
      // a read may return a part
    }
    return bytes.rewind();
  }

  private static CorruptException damaged(Path path, long offset, String what) {
    return new CorruptException(
        "%s: offset %s: %s; restore the file, or move it away to give up its events"
            .formatted(path, offset, what));
  }
}
