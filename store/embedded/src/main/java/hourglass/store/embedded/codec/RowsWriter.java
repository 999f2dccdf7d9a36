package hourglass.store.embedded.codec;

import hourglass.store.Columns;

/** Writes payloads whole; see {@link RowsLayout}. Not thread-safe. */
final class RowsWriter {
  private final CompressedBytes frames;
  private final NumbersWriter numbers;
  private long[] lengths = new long[0];

  RowsWriter(CompressedBytes frames, NumbersWriter numbers) {
    this.frames = frames;
    this.numbers = numbers;
  }

  void write(Columns columns, PageOutput out) {
    lengths = CompressedBytes.room(lengths, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      lengths[i] = columns.length(i);
    }
    numbers.write(lengths, columns.size(), out);
    frames.write(columns.bytes(), columns.offset(0), columns.payloadBytes(), out);
  }
}
