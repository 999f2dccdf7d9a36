package hourglass.store.embedded.codec;

import hourglass.store.Columns;

/** Writes payloads split into fields, if they are similar enough; see {@link ColumnsLayout}. */
final class ColumnsWriter {
  private final CompressedBytes frames;
  private final Indexes indexes;
  private final FieldWriter fields;
  private final ShapeSplitter splitter = new ShapeSplitter();
  private final PageOutput description = new PageOutput();
  private final PageOutput data = new PageOutput();

  ColumnsWriter(CompressedBytes frames, NumbersWriter numbers) {
    this.frames = frames;
    indexes = new Indexes(frames);
    fields = new FieldWriter(frames, indexes, numbers);
  }

  /** Writes the payloads; false, and nothing written, if rows are the better layout. */
  boolean write(Columns columns, PageOutput out) {
    if (columns.size() < ColumnsLayout.COLUMNS_PER_SHAPE_MIN) {
      return false;
    }
    splitter.split(columns);
    if (!splitter.pays(columns)) {
      return false;
    }
    description.clear();
    data.clear();
    writeShapes();
    indexes.write(splitter.shapeOf(), columns.size(), splitter.shapeCount(), data);
    for (int i = 0; i < splitter.fieldCount(); i++) {
      fields.write(splitter, i, columns, description, data);
    }
    frames.write(description.array(), 0, description.size(), out);
    out.putBytes(data.array(), 0, data.size());
    return true;
  }

  private void writeShapes() {
    description.putVarint(splitter.shapeCount());
    description.putVarint(splitter.fieldCount());
    for (int s = 0; s < splitter.shapeCount(); s++) {
      Shape shape = splitter.shape(s);
      description.putVarint(shape.values());
      for (int i = 0; i < shape.values(); i++) {
        writePart(shape, i);
        description.putVarint(shape.field(i));
      }
      writePart(shape, shape.values());
    }
  }

  private void writePart(Shape shape, int part) {
    description.putVarint(shape.partLength(part));
    description.putBytes(shape.bytes(), shape.partStart(part), shape.partLength(part));
  }
}
