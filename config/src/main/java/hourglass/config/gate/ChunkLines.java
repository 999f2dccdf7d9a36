package hourglass.config.gate;

import io.netty.buffer.ByteBuf;

/**
 * Refuses chunk sizes that the decoder would read as another number, such as {@code 5 5}, and too
 * many trailers. Used for one body.
 */
final class ChunkLines {
  private static final int HEX_DIGITS_MAX = 7;
  private static final int CRLF_BYTES = 2;

  private long left;
  private boolean last;
  private int trailers;

  /**
   * Returns the length of a chunk's size line in bytes, or 0 if there is none at this place or it
   * is not complete.
   */
  int read(ByteBuf in) {
    if (last) {
      countTrailers(in);
    }
    if (left > 0 || last) {
      return 0;
    }
    int start = in.readerIndex();
    int lf = lineEnd(in, start);
    if (lf < 0) {
      return 0;
    }
    int at = start;
    long size = 0;
    for (; at < lf && digit(in, at) >= 0; at++) {
      size = size << 4 | digit(in, at);
    }
    boolean isEnd = at == lf - 1 && in.getByte(at) == '\r';
    boolean isExtended = at < lf && in.getByte(at) == ';';
    if (at == start || at - start > HEX_DIGITS_MAX || !isEnd && !isExtended) {
      throw RefusedRequest.bad("body: the size of a chunk is not hexadecimal, or above 7 digits");
    }
    last = size == 0;
    left = size == 0 ? 0 : size + CRLF_BYTES;
    return lf + 1 - start;
  }

  /** Counts the trailers. The decoder consumes whole lines, so each is counted once. */
  private void countTrailers(ByteBuf in) {
    int at = in.readerIndex();
    for (int lf = lineEnd(in, at); lf >= 0; at = lf + 1, lf = lineEnd(in, at)) {
      if (lf == at || lf == at + 1 && in.getByte(at) == '\r') {
        return; // the body has ended
      }
      if (++trailers > HeadLines.HEADERS_MAX) {
        throw new RefusedRequest(
            431, "the body has too many trailers, want at most " + HeadLines.HEADERS_MAX);
      }
    }
  }

  private static int lineEnd(ByteBuf in, int start) {
    return in.indexOf(start, in.writerIndex(), (byte) '\n');
  }

  /** Notes how many bytes of the body, not counting size lines, the decoder has consumed. */
  void consumed(int bytes) {
    if (!last) {
      left -= bytes;
    }
  }

  private static int digit(ByteBuf in, int at) {
    return Character.digit(in.getByte(at), 16);
  }
}
