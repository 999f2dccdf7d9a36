package hourglass.ingest;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of records. Where all of them stand in one array, each with a zero behind it as a
 * scanner wants it, they are left there: so it is in what a broker answers, if records are neither
 * compressed nor have headers. Others are copied one behind the other. Immutable.
 */
final class RecordValues {
  private final byte[] bytes;
  private final boolean inPlace;
  private final int size;
  private final int length;

  // Where each begins and ends.
  private final int[] froms;
  private final int[] tos;

  private RecordValues(Builder builder) {
    this.inPlace = builder.inPlace != null;
    this.bytes = builder.inPlace != null ? builder.inPlace : builder.bytes;
    this.size = builder.size;
    this.length = builder.length;
    this.froms = builder.froms;
    this.tos = builder.tos;
  }

  /** The array that they are in, with as many bytes behind the last as a scanner may read. */
  Body body() {
    return inPlace ? Body.ofZeroEnded(bytes) : Body.ofPadded(bytes, length);
  }

  /** Bytes of all values, and a little for each. */
  int length() {
    return length;
  }

  int from(int record) {
    return froms[record];
  }

  int to(int record) {
    return tos[record];
  }

  /** A view of one. */
  ByteBuffer value(int record) {
    int from = froms[record];
    return ByteBuffer.wrap(bytes, from, tos[record] - from).slice().asReadOnlyBuffer();
  }

  /** What an array that is not ours takes in memory as long as this is held; 0 if there is none. */
  int lentBytes() {
    return inPlace ? bytes.length : 0;
  }

  /** These values, in an array of their own. */
  RecordValues copied() {
    if (!inPlace) {
      return this;
    }
    Builder copy = new Builder(size, length);
    copy.addCopies(bytes, froms, tos, size);
    return copy.build();
  }

  /** Whether a value has a zero behind it, and as many bytes as a scanner may read. */
  static boolean isZeroEnded(ByteBuffer value) {
    if (!value.hasArray()) {
      return false;
    }
    byte[] array = value.array();
    int to = value.arrayOffset() + value.limit();
    return to + Body.PADDING <= array.length && array[to] == 0;
  }

  /** Takes values in their order. Not thread-safe; use it once. */
  static final class Builder {
    private final int bytesExpected;
    private byte @Nullable [] inPlace;
    private byte[] bytes = {};
    private int[] froms;
    private int[] tos;
    private int size;
    private int length;

    /**
     * @param records room to begin with
     * @param bytes room to begin with, for what is copied
     */
    Builder(int records, int bytes) {
      this.bytesExpected = bytes + (records + 1) * Body.PADDING;
      this.froms = new int[records];
      this.tos = new int[records];
    }

    int size() {
      return size;
    }

    /** As {@link RecordValues#length}, so far. */
    int length() {
      return length;
    }

    /** As {@link RecordValues#lentBytes}, so far. */
    int lentBytes() {
      byte[] lent = inPlace;
      return lent == null ? 0 : lent.length;
    }

    void add(ByteBuffer value) {
      if (size == 0 && isZeroEnded(value)) {
        inPlace = value.array();
      }
      if (staysInPlace(value)) {
        int from = value.arrayOffset() + value.position();
        place(from, from + value.remaining());
        length += value.remaining() + Body.PADDING;
        return;
      }
      copyWhatIsLent();
      copy(value);
    }

    /** Whether a value would be used where it is, as all before it are. */
    @SuppressWarnings("ByteBufferBackingArray") // only compared
    boolean staysInPlace(ByteBuffer value) {
      return inPlace != null && isZeroEnded(value) && value.array() == inPlace;
    }

    /** What stands elsewhere, or wants another array, makes all of them move. */
    void copyWhatIsLent() {
      byte[] from = inPlace;
      if (from != null) {
        inPlace = null;
        int[] placedFroms = froms;
        int[] placedTos = tos;
        int placed = size;
        froms = new int[froms.length];
        tos = new int[tos.length];
        size = 0;
        length = 0;
        addCopies(from, placedFroms, placedTos, placed);
      }
    }

    private void addCopies(byte[] from, int[] placedFroms, int[] placedTos, int placed) {
      for (int i = 0; i < placed; i++) {
        copy(ByteBuffer.wrap(from, placedFroms[i], placedTos[i] - placedFroms[i]));
      }
    }

    private void copy(ByteBuffer value) {
      int to = Math.addExact(length, value.remaining());
      reserve(Math.addExact(to, 2 * Body.PADDING));
      value.get(value.position(), bytes, length, value.remaining());
      place(length, to);
      // Zeros behind each value, as behind a body: whatever is read stops there.
      length = to + Body.PADDING;
    }

    private void reserve(int bytesNeeded) {
      if (bytesNeeded > bytes.length) {
        int doubled = (int) Math.min(2L * bytes.length, 1 << 30);
        bytes = Arrays.copyOf(bytes, Math.max(bytesNeeded, Math.max(bytesExpected, doubled)));
      }
    }

    private void place(int from, int to) {
      if (size == froms.length) {
        int room = Math.max(16, 2 * size);
        froms = Arrays.copyOf(froms, room);
        tos = Arrays.copyOf(tos, room);
      }
      froms[size] = from;
      tos[size] = to;
      size++;
    }

    RecordValues build() {
      if (inPlace == null) {
        reserve(length + Body.PADDING);
      }
      return new RecordValues(this);
    }
  }
}
