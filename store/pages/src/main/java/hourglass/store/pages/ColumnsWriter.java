package hourglass.store.pages;

import hourglass.store.Columns;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageOutput;
import org.jspecify.annotations.Nullable;

/** Writes payloads split into fields, if they are similar enough. Not thread-safe. */
final class ColumnsWriter {
  private final CompressedBytes frames;
  private final boolean filtered;
  private final ShapeSplitter splitter = new ShapeSplitter();
  private final ValueFilterWriter filter = new ValueFilterWriter();
  private final Sections sections = new Sections();
  private final FieldWriter fields;

  /** The sections of a page that is being written; see {@link ColumnsLayout}. */
  record Sections(PageOutput description, PageOutput entriesApart, PageOutput data) {
    Sections() {
      this(new PageOutput(), new PageOutput(), new PageOutput());
    }

    void clear() {
      description.clear();
      entriesApart.clear();
      data.clear();
    }

    void write(CompressedBytes frames, PageOutput out) {
      frames.write(description.array(), 0, description.size(), out);
      out.putBytes(entriesApart.array(), 0, entriesApart.size());
      out.putBytes(data.array(), 0, data.size());
    }
  }

  ColumnsWriter(CompressedBytes frames, NumberRuns numbers, boolean filtered) {
    this.frames = frames;
    this.filtered = filtered;
    this.fields = new FieldWriter(frames, numbers, splitter, filter, sections);
  }

  /**
   * Writes the payloads, and returns their layout. Nothing is written if rows are the better
   * layout.
   */
  int write(Columns columns, PageOutput out, PageCodec.@Nullable ValueSink values) {
    if (columns.size() < ColumnsLayout.COLUMNS_PER_SHAPE_MIN) {
      return PageHeader.ROWS;
    }
    splitter.split(columns);
    if (!splitter.pays(columns)) {
      return PageHeader.ROWS;
    }
    if (filtered) {
      filter.clear(splitter.valueCount(), columns.payloadBytes(), values != null);
      splitter.shapes().forEach(shape -> shape.addTo(filter));
    }
    sections.clear();
    PageOutput description = sections.description();
    description.putVarint(splitter.shapes().size());
    description.putVarint(splitter.fieldCount());
    splitter.shapes().forEach(shape -> shape.describe(description));
    int shapes = splitter.shapes().size();
    Indexes.write(splitter.shapeOf(), columns.size(), shapes, frames, sections.data());
    for (int i = 0; i < splitter.fieldCount(); i++) {
      fields.write(i, columns);
    }
    sections.write(frames, out);
    if (values != null && filter.passOn(out.size(), values)) {
      return PageHeader.COLUMNS;
    }
    return filter.write(out.size(), out) ? PageHeader.FILTERED : PageHeader.COLUMNS;
  }
}
