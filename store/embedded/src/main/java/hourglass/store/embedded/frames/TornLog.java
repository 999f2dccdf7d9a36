package hourglass.store.embedded.frames;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a crash tore a bad frame at a log's end, or whether the frame is damaged.
 *
 * <p>A group is begun only after the group before it was forced, so a bad frame before a later
 * group is damaged. A bad frame at the very end is torn if the file is too short, or if a sector
 * was never written and reads as zeros; otherwise it is damaged.
 */
record TornLog(ByteBuffer file, int position, int goodEnd, long nextGroup) {
  private static final int SECTOR_BYTES = 512;

  /**
   * Describes the damage; null if a crash tore the frame. The header is null if it is not whole.
   */
  @Nullable String damage(@Nullable FrameHeader header) {
    if (laterGroupFollows()) {
      return "a damaged frame with whole ones after it";
    }
    return !bytesAreMissing(header) || isFollowed(header) ? "a damaged frame" : null;
  }

  /**
   * Whether the file ends inside the frame. If not, a torn frame has a sector that reads as zeros.
   */
  boolean isCutShort(@Nullable FrameHeader header) {
    return frameEnd(header) > file.limit();
  }

  private long frameEnd(@Nullable FrameHeader header) {
    return (long) position + FrameHeader.BYTES + (header == null ? 0 : header.length());
  }

  /** Whether bytes follow the end of a group; they are written only after the group was forced. */
  private boolean isFollowed(@Nullable FrameHeader header) {
    return header != null
        && header.group() == nextGroup
        && header.last()
        && file.limit() - position - FrameHeader.BYTES > header.length();
  }

  private boolean laterGroupFollows() {
    for (int at = position + 1; at + FrameHeader.BYTES <= file.limit(); at++) {
      FrameHeader header = FrameHeader.read(file, at);
      if (header != null && header.group() > nextGroup) {
        return true;
      }
    }
    return false;
  }

  private boolean bytesAreMissing(@Nullable FrameHeader header) {
    int limit = file.limit();
    if (isCutShort(header)) {
      return true;
    }
    long frameEnd = frameEnd(header);
    // Other frames of the group in these sectors prove that the sectors were written.
    int sectorsBegin = Math.max(goodEnd, position / SECTOR_BYTES * SECTOR_BYTES);
    long sectorsEnd = (frameEnd + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
    return hasZeroSector(sectorsBegin, header == null ? limit : (int) Math.min(limit, sectorsEnd));
  }

  private boolean hasZeroSector(int from, int to) {
    int at = from;
    while (at < to) {
      int end = Math.min(to, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (IntStream.range(at, end).allMatch(i -> file.get(i) == 0)) {
        return true;
      }
      at = end;
    }
    return false;
  }
}
