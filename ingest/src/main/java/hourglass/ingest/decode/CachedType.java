package hourglass.ingest.decode;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An event type, and the state that a thread keeps for it from one write to the next. */
public final class CachedType {
  private final byte[] utf8;
  private final long prefix;
  private final String text;
  private final @Nullable Duration kept;

  /** The row of the type's last event, for the write under way; null between writes. */
  public @Nullable Object lastRow;

  /** Columns of the type in the last write; a new type mostly has one. */
  public int columnsHint = 1;

  /** Bytes of the type's payloads in the last write. */
  public int bytesHint;

  CachedType(byte[] utf8, long prefix, String text, @Nullable Duration kept) {
    this.utf8 = utf8;
    this.prefix = prefix;
    this.text = text;
    this.kept = kept;
  }

  /** Whether {@code [from, to)} is this type; {@code itsPrefix} has its first eight bytes. */
  boolean is(long itsPrefix, byte[] b, int from, int to) {
    int length = to - from;
    return prefix == itsPrefix
        && utf8.length == length
        && (length <= 8 || Arrays.equals(utf8, 8, length, b, from + 8, to));
  }

  byte[] utf8() {
    return utf8;
  }

  public String text() {
    return text;
  }

  /** How long the store keeps the type; null for ever. */
  @Nullable Duration kept() {
    return kept;
  }
}
