package hourglass.query.http;

import hourglass.query.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Compresses the body of one answer chunk by chunk. Each chunk can be decoded on arrival. Used by
 * one thread at a time.
 */
final class Packer implements AutoCloseable {

  /** The output since the last {@link #into}. */
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

  /** Replaces the contents of a chunk by their compressed form. */
  void pack(Chunk chunk) {
    try {
      out.write(chunk.bytes(), 0, chunk.length());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    packed.into(chunk);
  }

  /** As {@link #pack(Chunk)}, and ends the compressed stream. */
  void packLast(Chunk chunk) {
    try {
      out.write(chunk.bytes(), 0, chunk.length());
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    packed.into(chunk);
  }

  /** Frees native memory. Idempotent. */
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
