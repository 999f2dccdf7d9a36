package hourglass.ingest.http;

import hourglass.ingest.service.InFlightBudget;
import io.vertx.core.buffer.Buffer;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A received body in pieces. Each piece is reserved before it is kept, and released as it is read.
 * Written by one thread, then read by one.
 */
final class BodyChunks extends InputStream {
  // Smaller pieces are copied together, since a chunk of one byte would cost a hundred.
  private static final int SMALL_BYTES = 2048;
  private static final int GATHERED_BYTES_MIN = 1024;
  private static final int GATHERED_BYTES_MAX = 16_384;
  private static final int OVERHEAD_BYTES = 128;

  private final InFlightBudget.Reservation reservation;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private long length;

  private static final class Piece {
    private final Buffer bytes;
    private final int reserved;
    private int room;
    private int at;

    private Piece(Buffer bytes, int reserved, int room) {
      this.bytes = bytes;
      this.reserved = reserved;
      this.room = room;
    }
  }

  BodyChunks(InFlightBudget.Reservation reservation) {
    this.reservation = reservation;
  }

  /** Returns the bytes of all pieces, read or not. */
  long length() {
    return length;
  }

  /** Keeps a piece. Returns false if there is no memory for it. */
  boolean take(Buffer bytes) {
    int size = bytes.length();
    if (size == 0) { // of an empty frame of HTTP/2
      return true;
    }
    length += size;
    if (size >= SMALL_BYTES) {
      return hold(new Piece(bytes, size + OVERHEAD_BYTES, 0));
    }
    Piece last = pieces.peekLast();
    if (last == null || last.room < size) {
      int capacity = (int) Math.max(size, Math.min(GATHERED_BYTES_MAX, length));
      capacity = Math.max(GATHERED_BYTES_MIN, capacity);
      last = new Piece(Buffer.buffer(capacity), capacity + OVERHEAD_BYTES, capacity);
      if (!hold(last)) {
        return false;
      }
    }
    last.bytes.appendBuffer(bytes);
    last.room -= size;
    return true;
  }

  /** Drops all pieces. The caller releases the reservation. */
  void drop() {
    pieces.clear();
  }

  private boolean hold(Piece piece) {
    boolean held = reservation.add(piece.reserved);
    if (held) {
      pieces.addLast(piece);
    }
    return held;
  }

  @Override
  public int available() {
    Piece first = pieces.peekFirst();
    return first == null ? 0 : first.bytes.length() - first.at;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int wanted) {
    Piece first = pieces.peekFirst();
    if (first == null) {
      return -1;
    }
    int count = Math.min(wanted, first.bytes.length() - first.at);
    first.bytes.getBytes(first.at, first.at + count, to, offset);
    first.at += count;
    if (first.at == first.bytes.length()) {
      pieces.removeFirst();
      reservation.subtract(first.reserved);
    }
    return count;
  }
}
