package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files that an hour and class must have: the groups and bytes of the inventory, and the maps
 * that contain listed pages. The files on disk may be newer, but never older.
 */
public record HourFiles(
    String retentionClass, Hour hour, long groups, long bytes, Set<Integer> generations)
    implements CatalogueRecord {

  public HourFiles {
    generations = Set.copyOf(generations);
  }

  static HourFiles readFrom(ByteBuffer in) {
    String retentionClass = CatalogueRecord.readText(in);
    Hour hour = new Hour(in.getInt());
    long groups = in.getLong();
    long bytes = in.getLong();
    Set<Integer> generations = new HashSet<>();
    for (int left = in.getInt(); left > 0; left--) {
      generations.add(in.getInt());
    }
    return new HourFiles(retentionClass, hour, groups, bytes, generations);
  }

  @Override
  public void writeTo(FrameWriter out) throws IOException {
    out.putByte(LISTED);
    CatalogueRecord.writeHour(out, retentionClass, hour);
    out.putLong(groups);
    out.putLong(bytes);
    out.putInt(generations.size());
    for (int generation : new TreeSet<>(generations)) {
      out.putInt(generation);
    }
  }

  String key() {
    return key(retentionClass, hour);
  }

  static String key(String retentionClass, Hour hour) {
    return retentionClass + "/" + hour;
  }
}
