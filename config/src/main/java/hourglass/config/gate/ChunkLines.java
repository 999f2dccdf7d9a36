package hourglass.config.gate;

import io.netty.buffer.ByteBuf;

/**
 * Refuses chunk sizes that the decoder would read as another number, such as {@code 5 5}, and too
 * many trailers. Used for one body.
 */
final class ChunkLines {
  private static final int HEX_DIGITS_MAX = 7;
  private static final int CRLF_BYTES = 2;

  /** The part of the body that the next byte belongs to. */
  private enum Part {
    SIZE,
    CHUNK,
    TRAILERS,
    /** The body has ended, so no line is expected. */
    NONE
  }

  private Part part = Part.SIZE;

  /** The bytes of the chunk and its line ending that have not arrived. */
  private long left;

  private int trailers;

  /** Returns whether the empty line that ends the body was read. */
  boolean areWhole() {
    return part == Part.NONE;
  }

  /** Checks one part from a position. Returns the position up to which it can be passed on. */
  int read(ByteBuf in, int from) {
    return switch (part) {
      case SIZE -> size(in, from);
      case CHUNK -> chunk(in, from);
      case TRAILERS -> trailer(in, from);
      case NONE -> from;
    };
  }

  private int size(ByteBuf in, int from) {
    int lf = lineEnd(in, from);
    if (lf < 0) {
      return from;
    }
    int at = from;
    long size = 0;
    for (; at < lf && digit(in, at) >= 0; at++) {
      size = size << 4 | digit(in, at);
    }
    boolean isEnd = at == lf - 1 && in.getByte(at) == '\r';
    boolean isExtended = at < lf && in.getByte(at) == ';';
    if (at == from || at - from > HEX_DIGITS_MAX || !isEnd && !isExtended) {
      throw RefusedRequest.bad("body: the size of a chunk is not hexadecimal, or above 7 digits");
    }
    part = size == 0 ? Part.TRAILERS : Part.CHUNK;
    left = size + CRLF_BYTES;
    return lf + 1;
  }

  /** Passes over a chunk. The decoder refuses one that does not end with its line ending. */
  private int chunk(ByteBuf in, int from) {
    int bytes = (int) Math.min(left, in.writerIndex() - from);
    left -= bytes;
    if (left == 0) {
      part = Part.SIZE;
    }
    return from + bytes;
  }

  private int trailer(ByteBuf in, int from) {
    int lf = lineEnd(in, from);
    if (lf < 0) {
      return from;
    }
    if (lf == from || lf == from + 1 && in.getByte(from) == '\r') {
      part = Part.NONE;
    } else if (++trailers > HeadLines.HEADERS_MAX) {
      throw new RefusedRequest(
          431, "the body has too many trailers, want at most " + HeadLines.HEADERS_MAX);
    }
    return lf + 1;
  }

  private static int lineEnd(ByteBuf in, int start) {
    return in.indexOf(start, in.writerIndex(), (byte) '\n');
  }

  private static int digit(ByteBuf in, int at) {
    return Character.digit(in.getByte(at), 16);
  }
}
