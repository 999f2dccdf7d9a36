package hourglass.query.http;

import hourglass.query.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Packs the body of one answer, chunk by chunk, each so that it can be unpacked as soon as it
 * arrives. Used by one thread at a time.
 */
final class Packer implements AutoCloseable {

  /** What was packed since it was last taken. */
  private static final class Packed extends ByteArrayOutputStream {
    void into(Chunk chunk) {
      chunk.replace(buf, count);
      reset();
    }
  }

  private final Packed packed = new Packed();
  private final OutputStream out;

  Packer(BodyCoding coding) {
    try {
      out = coding.over(packed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the packed form of a chunk in its place. */
  void pack(Chunk chunk) {
    try {
      out.write(chunk.bytes(), 0, chunk.length());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    packed.into(chunk);
  }

  /** As {@link #pack(Chunk)}, with the end of the body. */
  void packLast(Chunk chunk) {
    try {
      out.write(chunk.bytes(), 0, chunk.length());
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    packed.into(chunk);
  }

  /** Gives up what lies outside of the heap; any number of times. */
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
