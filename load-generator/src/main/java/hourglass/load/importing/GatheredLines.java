package hourglass.load.importing;

import hourglass.bytes.JsonText;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The lines that wait to be sent, and the place where they are cut into batches. For one thread.
 *
 * <p>A batch should begin with a line that begins an event ({@link LineHeads}), since the server
 * gives other lines the time of the line before.
 */
final class GatheredLines {
  /** The number of lines that are sent together, besides those that continue the last event. */
  static final int FULL = 5_000;

  /**
   * The bytes that are sent together: well below the limit of a server, and few enough for frequent
   * updates of the line of progress.
   */
  private static final int FULL_BYTES = 4 << 20;

  /** The factor by which a batch may grow in search of a line that begins an event. */
  private static final int STRETCH = 4;

  private final JsonText text = new JsonText();
  private final LineHeads lineHeads = new LineHeads();
  private int[] starts = new int[FULL + 1];
  private long[] numbers = new long[FULL + 1];
  private BitSet texts = new BitSet();
  private boolean lastIsHead;
  private int count;

  /**
   * The lines of one request.
   *
   * @param text the lines, each with its line break
   * @param numbers the numbers of the lines, as in {@link Items.Handler}
   * @param hasText whether a line is not JSON
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Taken(Buffer text, long[] numbers, boolean hasText) {}

  /** Adds the line [from, to). */
  void add(byte[] bytes, int from, int to, boolean isJson, long number) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    lastIsHead = isJson || lineHeads.isLikeFirst(bytes, from);
    texts.set(count, !isJson);
    numbers[count] = number;
    starts[count++] = text.length();
    text.raw(bytes, from, to).raw('\n');
  }

  int count() {
    return count;
  }

  /** Returns how many lines to send now: all but the last one, or 0 if none should be sent yet. */
  int cut() {
    int before = count - 1;
    int bytesBefore = count == 0 ? 0 : starts[before];
    boolean isFull = before >= FULL || bytesBefore >= FULL_BYTES;
    boolean isOverfull = before >= STRETCH * FULL || bytesBefore >= STRETCH * FULL_BYTES;
    return isFull && lastIsHead || isOverfull ? before : 0;
  }

  /** Removes the first lines, at least one, and returns them. */
  Taken take(int lines) {
    int end = lines == count ? text.length() : starts[lines];
    Taken taken =
        new Taken(
            Buffer.buffer(end).appendBytes(text.bytes(), 0, end),
            Arrays.copyOf(numbers, lines),
            texts.nextSetBit(0) >= 0 && texts.nextSetBit(0) < lines);
    byte[] rest = Arrays.copyOfRange(text.bytes(), end, text.length());
    text.clear();
    text.raw(rest);
    texts = texts.get(lines, count);
    count -= lines;
    System.arraycopy(numbers, lines, numbers, 0, count);
    for (int i = 0; i < count; i++) {
      starts[i] = starts[i + lines] - end;
    }
    return taken;
  }
}
