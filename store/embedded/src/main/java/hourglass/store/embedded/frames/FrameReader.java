package hourglass.store.embedded.frames;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of frames, group by group. Not thread-safe.
 *
 * <p>A torn group ends the file; damage is an error; see {@link TornLog}.
 */
public final class FrameReader {
  private final Path path;
  private final ByteBuffer file;
  private final FramePreamble preamble;
  private final boolean lastFile;
  private int position = FramePreamble.BYTES;
  private int goodEnd = FramePreamble.BYTES;
  private boolean hasLostSector;
  private long nextGroup;

  private FrameReader(
      Path path, ByteBuffer file, FramePreamble preamble, long validBytes, boolean lastFile) {
    this.path = path;
    this.file = file;
    this.preamble = preamble;
    this.lastFile = lastFile;
    this.nextGroup = preamble.firstGroup();
    if (validBytes > file.limit()) {
      throw new CorruptException(
          "%s: %s bytes, but %s were acknowledged; restore the file"
              .formatted(path, file.limit(), validBytes));
    }
    if (validBytes >= 0) {
      file.limit((int) validBytes);
    }
  }

  /**
   * Opens a file; null if a crash left it without a preamble.
   *
   * @param validBytes the valid length that the next file states, -1 for all bytes
   * @param lastFile whether no later file proves that this one was complete
   */
  public static @Nullable FrameReader open(Path path, int magic, long validBytes, boolean lastFile)
      throws IOException {
    ByteBuffer file = map(path);
    if (lastFile && FramePreamble.isUnfinished(file)) {
      return null;
    }
    if (file.limit() < FramePreamble.BYTES) {
      throw new CorruptException(path + ": offset 0: cut off; restore the file");
    }
    return new FrameReader(path, file, FramePreamble.read(file, magic, path), validBytes, lastFile);
  }

  /** Reads the preamble; null if a crash left the file without one. */
  public static @Nullable FramePreamble preamble(Path path, int magic) throws IOException {
    ByteBuffer file = map(path);
    return FramePreamble.isUnfinished(file) ? null : FramePreamble.read(file, magic, path);
  }

  private static ByteBuffer map(Path path) throws IOException {
    // A folder can be opened as well, and a later failure would not name it.
    if (!FileKind.FILE.isAt(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      if (channel.size() > Integer.MAX_VALUE) {
        throw new CorruptException(
            path + ": " + channel.size() + " bytes, not a file of frames; restore it");
      }
      return channel
          .map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  public FramePreamble preamble() {
    return preamble;
  }

  public long goodEnd() {
    return goodEnd;
  }

  /**
   * The number of bytes after the last whole group. It is final once {@link #next} has returned
   * null.
   */
  public long tornBytes() {
    return (long) file.limit() - goodEnd;
  }

  /**
   * Whether the torn group has a sector that reads as zeros, which the death of a process alone
   * cannot leave. It is known once {@link #next} has returned null.
   */
  public boolean hasLostSector() {
    return hasLostSector;
  }

  public long nextGroup() {
    return nextGroup;
  }

  /** Returns the joined bodies of the next group; null at the end. */
  public @Nullable ByteBuffer next() {
    ByteArrayOutputStream joined = null;
    while (position < file.limit()) {
      FrameHeader header = FrameHeader.read(file, position);
      if (header == null || header.group() != nextGroup || !header.bodyIsWhole(file, position)) {
        refuseDamage(header);
        return null;
      }
      ByteBuffer body = body(header);
      position += FrameHeader.BYTES + header.length();
      if (!header.last()) {
        joined = joined == null ? new ByteArrayOutputStream(2 * header.length()) : joined;
        append(joined, body);
        continue;
      }
      goodEnd = position;
      nextGroup++;
      if (joined == null) {
        return body;
      }
      append(joined, body);
      return ByteBuffer.wrap(joined.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    }
    if (position > goodEnd && !lastFile) {
      throw damaged("a group without its end");
    }
    return null;
  }

  private ByteBuffer body(FrameHeader header) {
    int trailer = header.last() ? 1 : 0;
    return file.slice(position + FrameHeader.BYTES, header.length() - trailer)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void append(ByteArrayOutputStream joined, ByteBuffer body) {
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    joined.write(bytes, 0, bytes.length);
  }

  private void refuseDamage(@Nullable FrameHeader header) {
    if (!lastFile) {
      throw damaged("a damaged frame in a log that went on after it");
    }
    TornLog torn = new TornLog(file, position, goodEnd, nextGroup);
    String damage = torn.damage(header);
    if (damage != null) {
      throw damaged(damage);
    }
    hasLostSector = !torn.isCutShort(header);
  }

  private CorruptException damaged(String damage) {
    boolean isWhole =
        preamble.magic() == FramePreamble.CATALOGUE || preamble.magic() == FramePreamble.ERASURE;
    String orElse =
        isWhole
            ? "" // the rest is no list that can be given up
            : ", or cut it there (truncate -s %s) to give up the rest".formatted(goodEnd);
    return new CorruptException(
        "%s: offset %s: %s; restore the file%s".formatted(path, position, damage, orElse));
  }
}
