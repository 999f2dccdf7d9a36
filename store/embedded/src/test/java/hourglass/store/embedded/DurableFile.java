package hourglass.store.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * The part of a file that survives a power cut: the prefix at the last force; of the rest, any part
 * of any length. Not thread-safe.
 */
final class DurableFile {
  private static final int BLOCK_BYTES = 4096;

  /** Path of the bytes of the running store. */
  Path real;

  private byte[] durable = {};

  DurableFile(Path real) {
    this.real = real;
  }

  /** Takes what is there now as durable. */
  void force() throws IOException {
    long size = Files.size(real);
    // Only a file that was cut gets shorter; then, and only then, its beginning may be another.
    durable = size >= durable.length ? grown((int) size) : Files.readAllBytes(real);
  }

  private byte[] grown(int size) throws IOException {
    if (size == durable.length) {
      return durable;
    }
    byte[] now = Files.readAllBytes(real);
    return Arrays.copyOf(now, size);
  }

  /** Writes the file as a power cut could leave it. */
  void writeTo(Path target, Random random) throws IOException {
    byte[] now = Files.readAllBytes(real);
    if (now.length < durable.length) {
      Files.write(target, random.nextBoolean() ? durable : now);
      return;
    }
    int length = durable.length + random.nextInt(now.length - durable.length + 1);
    if (random.nextInt(4) == 0) {
      length = now.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(durable, 0, durable.length);
    double lost = random.nextBoolean() ? 0 : random.nextDouble();
    int at = durable.length;
    while (at < length) {
      int end = Math.min(length, (at / BLOCK_BYTES + 1) * BLOCK_BYTES);
      boolean isLost = random.nextDouble() < lost;
      out.write(isLost ? new byte[end - at] : Arrays.copyOfRange(now, at, end));
      at = end;
    }
    Files.write(target, out.toByteArray());
  }
}
