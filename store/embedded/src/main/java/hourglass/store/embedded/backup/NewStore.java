package hourglass.store.embedded.backup;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the parts of a restored data directory that no point has: a log without records. */
record NewStore(StoreFiles data, Disk disk) {
  /** The version of the watermark of live tails. */
  private static final long SETTLED_VERSION = 1;

  /** Writes all but the version; it is durable on return, with the files that are there. */
  void write(Point point, CatalogueContent catalogue) throws IOException {
    long segment = Math.max(1, point.log().segment());
    writeSegment(segment, point.log().group());
    new Watermark(segment, segment).write(disk, data.logRange());
    new Watermark(segment, FramePreamble.BYTES).write(disk, data.logEnd());
    CatalogueRecord.Log log = catalogue.log();
    if (log.notesBytes() > 0) {
      new Watermark(log.notesFile(), log.notesBytes()).write(disk, data.lateArrivalsEnd());
    }
    if (point.settledTicks() > 0) {
      new Watermark(SETTLED_VERSION, point.settledTicks()).write(disk, data.settled());
    }
    CatalogueRecord.Log begin = new CatalogueRecord.Log(segment, log.notesFile(), log.notesBytes());
    long unused =
        new CatalogueContent(begin, catalogue.files(), catalogue.lost(), catalogue.dropped())
            .write(disk, data.catalogue(), FrameWriter.staging(), 1);
    for (Path folder :
        List.of(data.pages(), data.log(), data.firstTimes(), data.erasures(), data.dir())) {
      disk.forceDirectory(folder);
    }
    disk.forceDirectory(data.lateArrivals());
  }

  private void writeSegment(long segment, long firstGroup) throws IOException {
    try (Disk.AppendFile file = disk.create(data.segment(segment))) {
      FramePreamble preamble = new FramePreamble(FramePreamble.LOG, segment, firstGroup, 0);
      FrameWriter.begin(file, FrameWriter.staging(), preamble).force();
    }
  }
}
