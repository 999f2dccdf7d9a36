package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** Reads payloads that were stored whole; see {@link RowsLayout}. Not thread-safe. */
final class RowsReader {
  private static final byte[] NO_BYTES = new byte[0];

  private final CompressedBytes frames;
  private final NumbersReader numbers;
  private long[] lengths = new long[0];

  RowsReader(CompressedBytes frames, NumbersReader numbers) {
    this.frames = frames;
    this.numbers = numbers;
  }

  private void readOffsets(PageInput in, int payloadBytes, int[] offsets) {
    int count = offsets.length - 1;
    lengths = CompressedBytes.room(lengths, count);
    numbers.read(in, "lengths", lengths, count);
    long end = 0;
    for (int i = 0; i < count; i++) {
      long length = lengths[i];
      if (length < 0 || length > payloadBytes - end) {
        throw new CorruptException("page: lengths: payload " + i + " has " + length + " bytes");
      }
      end += length;
      offsets[i + 1] = (int) end;
    }
    if (end != payloadBytes) {
      throw new CorruptException(
          "page: lengths: " + end + " bytes of payload, not " + payloadBytes);
    }
  }

  /**
   * Reads the payloads, or only their lengths.
   *
   * @param offsets receives the start of each payload, and the end of the last
   */
  byte[] read(PageInput in, int payloadBytes, int[] offsets, boolean payloads) {
    readOffsets(in, payloadBytes, offsets);
    if (!payloads) {
      return NO_BYTES;
    }
    byte[] bytes = frames.read(in, "payloads", payloadBytes, NO_BYTES);
    in.finish();
    return bytes;
  }
}
