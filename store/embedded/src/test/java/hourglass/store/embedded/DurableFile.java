package hourglass.store.embedded;

import hourglass.store.embedded.disk.StoreFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** The part of a file that survives a power cut. Not thread-safe. */
abstract class DurableFile {
  /** Path of the bytes of the running store. */
  Path real;

  DurableFile(Path real) {
    this.real = real;
  }

  /** Takes what is there now as durable. */
  abstract void force() throws IOException;

  /** Writes the file as a power cut could leave it. */
  abstract void writeTo(Path target, Random random) throws IOException;

  static DurableFile of(Path file) {
    return file.getFileName().toString().startsWith(StoreFiles.PAGES_PREFIX)
        ? new Mapped(file)
        : new Appended(file);
  }

  /** Appended to: the prefix at the last force survives; of the rest, any part of any length. */
  static final class Appended extends DurableFile {
    private byte[] durable = {};

    Appended(Path real) {
      super(real);
    }

    @Override
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

    @Override
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
        int end = Math.min(length, (at / SparseFile.BLOCK_BYTES + 1) * SparseFile.BLOCK_BYTES);
        boolean isLost = random.nextDouble() < lost;
        out.write(isLost ? new byte[end - at] : Arrays.copyOfRange(now, at, end));
        at = end;
      }
      Files.write(target, out.toByteArray());
    }
  }

  /**
   * Written through a mapping: the image at the last force, and any of the blocks changed since.
   */
  static final class Mapped extends DurableFile {
    private Map<Integer, byte[]> durable = Map.of();
    private long durableSize;

    Mapped(Path real) {
      super(real);
    }

    @Override
    void force() throws IOException {
      durable = SparseFile.blocks(real);
      durableSize = Files.size(real);
    }

    @Override
    void writeTo(Path target, Random random) throws IOException {
      Map<Integer, byte[]> image = new HashMap<>(durable);
      double kept = random.nextInt(3) == 0 ? 0 : random.nextDouble();
      for (Map.Entry<Integer, byte[]> block : SparseFile.blocks(real).entrySet()) {
        if (!Arrays.equals(block.getValue(), durable.get(block.getKey()))
            && random.nextDouble() < kept) {
          image.put(block.getKey(), block.getValue());
        }
      }
      long size = random.nextBoolean() ? Files.size(real) : durableSize;
      SparseFile.write(target, size, image);
    }
  }
}
