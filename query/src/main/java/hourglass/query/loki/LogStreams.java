package hourglass.query.loki;

import static hourglass.query.encode.EventText.ascii;

import com.google.common.collect.AbstractIterator;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import hourglass.query.EventTaker;
import hourglass.store.Columns;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a query, by stream, as JSON:
 *
 * <pre>
 * {"stream":{"app":"shop"},"values":[["1795434770000000001","a line"]]}
 * </pre>
 *
 * Not thread-safe.
 */
public final class LogStreams implements EventTaker {
  private static final long NANOS_PER_TICK = 100;

  /** The approximate size of an entry without its line, in bytes. */
  private static final int ENTRY_BYTES = 64;

  /** The memory of a stream's objects, in bytes. */
  private static final int STREAM_BYTES = 144;

  private static final int PART_BYTES = 32;

  /**
   * The most streams that are found without their labels. Most queries meet a few types with a few
   * levels; other streams are looked up by their labels.
   */
  private static final int KNOWN_MAX = 1_000;

  private static final int KNOWN_BYTES_MAX = 1_024;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] BEFORE_LABELS = ascii("{\"stream\":");
  private static final byte[] BEHIND_LABELS = ascii(",\"values\":[");
  private static final byte[] FIRST_ENTRY = ascii("[\"");
  private static final byte[] NEXT_ENTRY = ascii(",[\"");
  private static final byte[] BEFORE_LINE = ascii("\",");

  private static final int BLOCK_BYTES_MIN = 256;
  private static final int BLOCK_BYTES_MAX = 64 << 10;

  private final LogFilter filter;
  private final boolean categorizes;
  private final long apartTicks;
  private final BooleanSupplier gone;
  private final LongConsumer reserve;

  /**
   * The streams by their labels, which are their first parts. Streams are in the order of their
   * first lines.
   */
  private final Map<Part, Stream> streams = new LinkedHashMap<>();

  /**
   * The streams by the values from which their labels are derived, which are found sooner than the
   * labels.
   */
  private final Map<Key, Stream> known = new HashMap<>();

  /** The number of lines that were looked up in {@link #known}. */
  private int lookedUp;

  /** The time of the last line that was accepted, if there was one. */
  private long lastTicks;

  /** The text that is being written. */
  private final JsonText text;

  // The last block. Blocks are filled one after the other and never copied.
  private byte[] block = {};
  private int used;

  private static final class Stream {
    /** The labels of the stream. */
    private final Part first;

    private Part last;

    Stream(Part first) {
      this.first = first;
      last = first;
    }

    boolean isEmpty() {
      return first.next == null;
    }
  }

  /** The values from which the labels of some lines are derived. */
  private record Key(String type, Part values) {}

  /**
   * A part of a block, and the next part of the same stream. Parts are equal if their bytes are.
   */
  private static final class Part {
    private final byte[] block;
    private final int from;
    private int to;
    private @Nullable Part next;

    Part(byte[] block, int from, int to) {
      this.block = block;
      this.from = from;
      this.to = to;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Part part
          && Arrays.equals(block, from, to, part.block, part.from, part.to);
    }

    @Override
    public int hashCode() {
      long hash = 0;
      int i = from;
      for (; i + Long.BYTES <= to; i += Long.BYTES) {
        hash = mix(hash ^ (long) LONGS.get(block, i));
      }
      for (; i < to; i++) {
        hash = mix(hash ^ block[i]);
      }
      return (int) hash;
    }

    /**
     * Mixes the bits of a hash, with the multiplier of Fibonacci hashing (Knuth, The Art of
     * Computer Programming, 6.4).
     */
    private static long mix(long hash) {
      long product = hash * 0x9e3779b97f4a7c15L;
      return product ^ product >>> Integer.SIZE;
    }
  }

  /**
   * Gathers the lines of a query.
   *
   * @param categorizes whether each line states its structured metadata and parsed labels
   *     separately
   * @param apartTicks the least time between two lines, of whatever streams; lines between them are
   *     left out
   * @param gone whether the client has cancelled the query
   * @param reserve receives the bytes by which the streams are about to grow
   */
  public LogStreams(
      LogFilter filter,
      boolean categorizes,
      long apartTicks,
      BooleanSupplier gone,
      LongConsumer reserve) {
    this.filter = filter;
    this.categorizes = categorizes;
    this.apartTicks = apartTicks;
    this.gone = gone;
    this.reserve = reserve;
    text = new JsonText(reserve::accept);
  }

  @Override
  public boolean take(String type, Columns columns, int i) {
    long ticks = columns.ticks(i);
    if (!streams.isEmpty() && Math.abs(ticks - lastTicks) < apartTicks) {
      return false;
    }
    boolean isTaken =
        filter.read(type, columns, i, gone, line -> add(line, ticks, columns.length(i)));
    lastTicks = isTaken ? ticks : lastTicks;
    return isTaken;
  }

  private void add(LogLine line, long ticks, int payloadBytes) {
    Stream stream = stream(line);
    text.clear();
    text.ensure(2 * payloadBytes + ENTRY_BYTES);
    raw(stream.isEmpty() ? FIRST_ENTRY : NEXT_ENTRY);
    text.raw(Long.toString((ticks - Ticks.UNIX_EPOCH) * NANOS_PER_TICK));
    raw(BEFORE_LINE);
    line.write(text);
    if (categorizes) {
      text.raw(",{");
      boolean hasMetadata = line.hasMetadata();
      if (hasMetadata) {
        text.raw("\"structuredMetadata\":");
        Labels.write(line.metadata(), text);
      }
      if (!line.parsed().isEmpty()) {
        text.raw(hasMetadata ? ",\"parsed\":" : "\"parsed\":");
        Labels.write(line.parsed(), text);
      }
      text.raw("}");
    }
    text.raw("]");
    append(stream);
  }

  private void raw(byte[] json) {
    text.raw(json, 0, json.length);
  }

  private Stream stream(LogLine line) {
    boolean areMostNew = known.size() == KNOWN_MAX && lookedUp < 2 * KNOWN_MAX;
    text.clear();
    if (areMostNew || !line.writeKey(text)) {
      return streamOf(line);
    }
    lookedUp++;
    Stream stream = known.get(new Key(line.type(), new Part(text.bytes(), 0, text.length())));
    if (stream != null) {
      return stream;
    }
    byte[] values = text.toBytes();
    stream = streamOf(line);
    if (known.size() < KNOWN_MAX && values.length <= KNOWN_BYTES_MAX) {
      reserve.accept(STREAM_BYTES + values.length);
      known.put(new Key(line.type(), new Part(values, 0, values.length)), stream);
    }
    return stream;
  }

  private Stream streamOf(LogLine line) {
    text.clear();
    raw(BEFORE_LABELS);
    Labels.write(categorizes ? line.stream() : line.labels(), text);
    raw(BEHIND_LABELS);
    Stream stream = streams.get(new Part(text.bytes(), 0, text.length()));
    if (stream == null) {
      reserve.accept(STREAM_BYTES);
      Part labels = keep(text.bytes(), 0, text.length());
      stream = new Stream(labels);
      streams.put(labels, stream);
    }
    return stream;
  }

  private void append(Stream stream) {
    for (int from = 0; from < text.length(); ) {
      int free = used < block.length ? block.length - used : BLOCK_BYTES_MAX;
      int to = Math.min(text.length(), from + free);
      if (stream.isEmpty() || !isBehind(stream.last, to - from)) {
        Part part = keep(text.bytes(), from, to);
        stream.last.next = part;
        stream.last = part;
      } else {
        System.arraycopy(text.bytes(), from, block, used, to - from);
        used += to - from;
        stream.last.to = used;
      }
      from = to;
    }
  }

  /** Whether a part can grow by this many bytes, in its block. */
  private boolean isBehind(Part part, int more) {
    return part.block == block && part.to == used && more <= block.length - used;
  }

  /** Copies bytes to a block as one part. */
  private Part keep(byte[] bytes, int from, int to) {
    int length = to - from;
    boolean fits = length <= block.length - used;
    int size = Math.max(length, Math.min(BLOCK_BYTES_MAX, Math.max(BLOCK_BYTES_MIN, 2 * used)));
    reserve.accept(PART_BYTES + (fits ? 0 : size));
    if (!fits) {
      block = new byte[size];
      used = 0;
    }
    System.arraycopy(bytes, from, block, used, length);
    used += length;
    return new Part(block, used - length, used);
  }

  /** Returns the streams as elements of an array, with commas between them, in pieces. */
  public Iterator<byte[]> pieces() {
    Iterator<Part> labels = streams.keySet().iterator();
    return new AbstractIterator<>() {
      private @Nullable Part next = labels.hasNext() ? labels.next() : null;

      @Override
      protected byte @Nullable [] computeNext() {
        JsonText piece = new JsonText();
        piece.ensure(next == null ? 0 : Math.min(BLOCK_BYTES_MAX, block.length));
        for (Part part = next; part != null && fits(part, piece.length()); part = next) {
          piece.raw(part.block, part.from, part.to);
          next = part.next;
          if (next == null) {
            next = labels.hasNext() ? labels.next() : null;
            piece.raw(next == null ? "]}" : "]},");
          }
        }
        return piece.length() == 0 ? endOfData() : piece.toBytes();
      }

      private boolean fits(Part part, int behind) {
        return behind == 0 || behind + part.to - part.from <= BLOCK_BYTES_MAX;
      }
    };
  }
}
