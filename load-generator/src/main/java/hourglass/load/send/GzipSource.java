package hourglass.load.send;

import hourglass.load.client.Batch;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Predicate;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The batches of a source, whose bodies are compressed when they are built. */
record GzipSource(BatchSource source) implements BatchSource {
  @Override
  public long events() {
    return source.events();
  }

  @Override
  public boolean forEach(Predicate<Batch> taker) throws IOException {
    return source.forEach(batch -> taker.test(batch.withBody(compress(batch.lines().getBytes()))));
  }

  private static Buffer compress(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out, 1 << 16) {
          {
            // A client under load must save its own CPU rather than bytes on the wire.
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Buffer.buffer(out.toByteArray());
  }
}
