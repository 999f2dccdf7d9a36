package hourglass.load.send;

import hourglass.load.client.Batch;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Batches of a source with bodies compressed when they are built. */
record GzipSource(BatchSource source) implements BatchSource {
  @Override
  public long events() {
    return source.events();
  }

  @Override
  public Reader open() throws IOException {
    Reader reader = source.open();
    return new Reader() {
      @Override
      public @Nullable Batch next() throws IOException {
        Batch batch = reader.next();
        return batch == null ? null : batch.withBody(compress(batch.lines().getBytes()));
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  private static Buffer compress(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out, 1 << 16) {
          {
            // A client under load saves its own CPU before the wire's bytes.
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      gzip.write(bytes);
    }
    return Buffer.buffer(out.toByteArray());
  }
}
