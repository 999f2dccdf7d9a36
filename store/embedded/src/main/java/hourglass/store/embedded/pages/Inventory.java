package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of an hour that lists its pages. A listed page that no map holds is an error, never a
 * shorter answer. Written by one thread at a time.
 */
final class Inventory {
  private static final Logger log = LoggerFactory.getLogger(Inventory.class);

  private final Disk disk;
  private final Path dir;
  private final Path path;
  private final Hour hour;
  private final ByteBuffer staging;
  private final long groupsMin;
  private long nextGroup = 1;

  /**
   * The length of the valid part. A failed append may leave bytes behind it, which the next one
   * cuts.
   */
  private volatile long durableBytes;

  /** Writes the records of one group. */
  interface Records {
    void writeTo(FrameWriter out) throws IOException;
  }

  /**
   * Creates an inventory that is read by {@link #load}.
   *
   * @param staging shared by the inventories that one thread writes
   * @param groupsMin the least number of groups that the file must hold
   */
  Inventory(Disk disk, Path dir, Hour hour, ByteBuffer staging, long groupsMin) {
    this.disk = disk;
    this.dir = dir;
    this.path = StoreFiles.inventory(dir);
    this.hour = hour;
    this.staging = staging;
    this.groupsMin = groupsMin;
  }

  /**
   * Reads all records, and cuts off a group that a crash left incomplete.
   *
   * @throws CorruptException naming the file, the offset and the remedy
   */
  void load(InventoryRecord.Sink sink) throws IOException {
    Watermark end = Watermark.read(StoreFiles.inventoryEnd(dir));
    FrameReader reader =
        FileKind.FILE.isAt(path) ? FrameReader.open(path, FramePreamble.INVENTORY, -1, true) : null;
    if (reader == null) {
      refuseShorter(end, 0, 0);
      disk.delete(path);
      return;
    }
    checkHour(reader.preamble());
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        InventoryRecord.replay(group, hour, sink);
      } catch (RuntimeException e) {
        throw new CorruptException(
            path + ": before offset " + reader.goodEnd() + ": " + e + "; restore it", e);
      }
    }
    durableBytes = reader.goodEnd();
    nextGroup = reader.nextGroup();
    refuseShorter(end, nextGroup - 1, durableBytes);
    if (reader.tornBytes() > 0) {
      cut(reader);
    }
  }

  private void checkHour(@Nullable FramePreamble preamble) {
    if (preamble != null && preamble.number() != hour.epochHours()) {
      throw new CorruptException(path + ": belongs to another hour; restore it");
    }
  }

  /**
   * A crash loses at most the last group, which is not in the catalogue yet. Anything more is
   * damage.
   */
  private void refuseShorter(@Nullable Watermark end, long groups, long offset) {
    long min = end == null ? groupsMin : Math.max(groupsMin, end.last());
    if (groups < min) {
      throw new CorruptException(
          path
              + ": offset "
              + offset
              + ": ends after group "
              + groups
              + " of "
              + min
              + "; restore the file, or move "
              + dir
              + " away: the next start then says how to serve the rest");
    }
  }

  long groups() {
    return nextGroup - 1;
  }

  private void cut(FrameReader reader) throws IOException {
    log.info("{}: offset {}: an interrupted write is cut off", path, reader.goodEnd());
    try (Disk.AppendFile file = disk.append(path)) {
      file.truncate(reader.goodEnd());
      file.force();
    }
  }

  /** Appends a group of records, all or none; durable on return. */
  void append(Records records) throws IOException {
    if (durableBytes == 0) {
      begin();
    }
    Disk.AppendFile file = disk.append(path);
    try {
      if (file.size() > durableBytes) {
        file.truncate(durableBytes);
        file.force();
      }
      FrameWriter writer = new FrameWriter(file, staging, nextGroup);
      records.writeTo(writer);
      writer.endGroup();
      durableBytes = writer.durableSize();
      nextGroup = writer.group();
    } finally {
      QuietClose.quietly(file);
    }
  }

  private void begin() throws IOException {
    disk.delete(path); // left by a failed attempt
    Disk.AppendFile file = disk.create(path);
    try {
      FrameWriter writer =
          FrameWriter.begin(
              file,
              staging,
              new FramePreamble(FramePreamble.INVENTORY, hour.epochHours(), nextGroup, 0));
      writer.force();
      disk.forceDirectory(dir);
      durableBytes = writer.durableSize();
    } finally {
      QuietClose.quietly(file);
    }
  }

  long bytes() {
    return durableBytes;
  }
}
