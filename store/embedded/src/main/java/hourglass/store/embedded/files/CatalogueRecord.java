package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A record of the catalogue, little-endian.
 *
 * <pre>
 * LISTED  1 | class length 1, class | hour 4 | groups 8 | bytes 8
 *           | generations 4 | generations times: generation 4
 * GONE    2 | class length 1, class | hour 4
 * LOG     3 | segment 8 | newest file of notes 8 | its bytes 8
 * </pre>
 */
public sealed interface CatalogueRecord
    permits HourFiles, CatalogueRecord.Gone, CatalogueRecord.Log {
  byte LISTED = 1;
  byte GONE = 2;
  byte LOG = 3;

  void writeTo(FrameWriter out) throws IOException;

  record Gone(String retentionClass, Hour hour) implements CatalogueRecord {
    @Override
    public void writeTo(FrameWriter out) throws IOException {
      out.putByte(GONE);
      writeHour(out, retentionClass, hour);
    }
  }

  /**
   * The log that is still needed: all columns before {@code segment} are in pages, and their late
   * arrivals in files, of which {@code notesFile} is the newest; 0 if there is none.
   */
  record Log(long segment, long notesFile, long notesBytes) implements CatalogueRecord {
    @Override
    public void writeTo(FrameWriter out) throws IOException {
      out.putByte(LOG);
      out.putLong(segment);
      out.putLong(notesFile);
      out.putLong(notesBytes);
    }
  }

  static void writeHour(FrameWriter out, String retentionClass, Hour hour) throws IOException {
    byte[] name = retentionClass.getBytes(StandardCharsets.US_ASCII);
    out.putByte(name.length);
    out.putBytes(name, 0, name.length);
    out.putInt(hour.epochHours());
  }

  static void replay(ByteBuffer in, Consumer<CatalogueRecord> sink) {
    while (in.hasRemaining()) {
      byte kind = in.get();
      switch (kind) {
        case LISTED -> sink.accept(HourFiles.readFrom(in));
        case GONE -> sink.accept(new Gone(readText(in), new Hour(in.getInt())));
        case LOG -> sink.accept(new Log(in.getLong(), in.getLong(), in.getLong()));
        default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
      }
    }
  }

  static String readText(ByteBuffer in) {
    byte[] text = new byte[in.get()];
    in.get(text);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
