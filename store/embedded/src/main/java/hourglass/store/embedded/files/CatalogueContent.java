package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.DroppedHours;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * All that a catalogue lists at one moment. Immutable.
 *
 * @param files the page files with their sections that are in use, the oldest first
 * @param lost the pages that repairs took out of use
 * @param dropped the hours that were dropped before
 */
public record CatalogueContent(
    CatalogueRecord.Log log,
    List<PageFileRecord> files,
    List<LostPage> lost,
    DroppedHours dropped) {
  public CatalogueContent {
    files = List.copyOf(files);
    lost = List.copyOf(lost);
  }

  /** Reads a catalogue file. Throws CorruptException if it is damaged or torn. */
  public static CatalogueContent read(Path path) throws IOException {
    Inventory listed = new Inventory();
    FrameReader reader = FrameReader.open(path, FramePreamble.CATALOGUE, -1, false);
    if (reader == null) {
      throw new CorruptException(path + ": offset 0: no preamble");
    }
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        CatalogueRecord.replay(group, listed::take);
      } catch (RuntimeException e) {
        throw new CorruptException(path + ": before offset " + reader.goodEnd() + ": " + e, e);
      }
    }
    listed.endRecords();
    return listed.content();
  }

  /**
   * Returns the same as if all other hours were deleted.
   *
   * @param since the hour of the deletion since 1970
   */
  public CatalogueContent onlyOf(Predicate<Hour> hours, int since) {
    return new CatalogueContent(
        log,
        files.stream()
            .map(file -> file.onlyOf(hours, since))
            .filter(file -> !file.sections().isEmpty())
            .toList(),
        lost.stream().filter(page -> hours.test(page.of().hour())).toList(),
        dropped);
  }

  /**
   * Writes a new file, which is forced. Its name is durable once its folder is forced.
   *
   * @param number the number of the catalogue file
   * @return the length of the file
   */
  public long write(Disk disk, Path path, ByteBuffer staging, long number) throws IOException {
    Disk.AppendFile file = disk.create(path);
    try {
      FramePreamble preamble = new FramePreamble(FramePreamble.CATALOGUE, number, 1, 0);
      FrameWriter writer = FrameWriter.begin(file, staging, preamble);
      log.writeTo(writer);
      for (PageFileRecord each : files) {
        each.writeTo(writer);
      }
      for (LostPage each : lost) {
        each.writeTo(writer);
      }
      for (CatalogueRecord each : CatalogueRecord.of(dropped).toList()) {
        each.writeTo(writer);
      }
      writer.endGroup();
      return writer.durableSize();
    } finally {
      QuietClose.quietly(file);
    }
  }
}
