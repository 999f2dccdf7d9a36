package hourglass.load.importing;

import hourglass.load.event.EventKeys;
import hourglass.load.send.ByteText;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Lines that wait to be sent, and the place where they are best cut. For one thread.
 *
 * <p>The server tells equal events of one time apart by their numbers in a request, so equal lines
 * that are near to each other stay together. And a batch should begin with a line that begins an
 * event ({@link LineHeads}).
 *
 * <pre>
 *   a b c d c e f g
 *      |   |           not here: c is on both sides
 *            |         here
 * </pre>
 */
final class GatheredLines {
  /** So many lines are sent at once, if they can be cut there. */
  static final int FULL = 5_000;

  /** Well below what a server takes, and often enough for the line of progress. */
  private static final int FULL_BYTES = 4 << 20;

  /** Equal lines may have so many others between them. */
  static final int LOOK = 100;

  /** How many times larger a batch may become in search of a cut. */
  private static final int STRETCH = 4;

  private final ByteText text = new ByteText(1 << 16);
  private final LineHeads lineHeads = new LineHeads();
  private int[] starts = new int[FULL + LOOK];
  private long[] numbers = new long[FULL + LOOK];
  private long[] digests = new long[FULL + LOOK];
  private BitSet heads = new BitSet();
  private BitSet texts = new BitSet();
  private long headDigest;
  private int count;

  /**
   * Lines of one request.
   *
   * @param text each line with its line break
   * @param numbers of the lines, as in {@link Items.Handler}
   * @param hasText whether a line is not JSON
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Taken(Buffer text, long[] numbers, boolean hasText) {}

  /** Adds the line [from, to). */
  void add(byte[] bytes, int from, int to, boolean isJson, long number) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
      digests = Arrays.copyOf(digests, 2 * count);
    }
    boolean isHead = isJson || lineHeads.isLikeFirst(bytes, from);
    long digest = EventKeys.digest(bytes, from, to);
    headDigest = isHead ? digest : headDigest;
    heads.set(count, isHead);
    texts.set(count, !isJson);
    // A line that continues an event equals another one only if their events begin equally.
    digests[count] = isHead ? digest : 31 * headDigest + digest;
    numbers[count] = number;
    starts[count++] = text.length();
    text.append(bytes, from, to).append('\n');
  }

  int count() {
    return count;
  }

  /** How many of the lines should be sent now; 0: none. */
  int cut() {
    boolean isFull = count >= FULL + LOOK && (count - FULL) % LOOK == 0;
    if (!isFull && text.length() < FULL_BYTES) {
      return 0;
    }
    int cut = cleanCut();
    boolean isOverfull = count >= STRETCH * FULL || text.length() >= STRETCH * FULL_BYTES;
    if (cut > 0 || !isOverfull) {
      return cut;
    }
    int lastHead = heads.previousSetBit(count - 1);
    return lastHead > 0 ? lastHead : count;
  }

  /** The last place that has no equal lines on both sides, and a head behind it; 0: none. */
  private int cleanCut() {
    boolean isSmall = count <= 3 * LOOK;
    int low = isSmall ? 0 : count - 3 * LOOK;
    BitSet bad = new BitSet();
    Map<Long, Integer> last = new HashMap<>();
    for (int i = low; i < count; i++) {
      Integer before = last.put(digests[i], i);
      if (before != null) {
        bad.set(before + 1, i + 1);
      }
    }
    int first = isSmall ? 1 : low + LOOK;
    for (int cut = isSmall ? count - 1 : count - LOOK; cut >= first; cut--) {
      if (heads.get(cut) && !bad.get(cut)) {
        return cut;
      }
    }
    return 0;
  }

  /** Removes the first lines, at least one. */
  Taken take(int lines) {
    int end = lines == count ? text.length() : starts[lines];
    Taken taken =
        new Taken(
            Buffer.buffer(end).appendBytes(text.array(), 0, end),
            Arrays.copyOf(numbers, lines),
            texts.nextSetBit(0) >= 0 && texts.nextSetBit(0) < lines);
    byte[] rest = Arrays.copyOfRange(text.array(), end, text.length());
    text.clear();
    text.append(rest);
    heads = heads.get(lines, count);
    texts = texts.get(lines, count);
    count -= lines;
    System.arraycopy(numbers, lines, numbers, 0, count);
    System.arraycopy(digests, lines, digests, 0, count);
    for (int i = 0; i < count; i++) {
      starts[i] = starts[i + lines] - end;
    }
    return taken;
  }
}
