package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log beside the maps of an hour that says which pages there are: a page that it lists and that
 * a map lacks is an error, never a shorter answer. Written by one thread at a time.
 */
final class Inventory {
  private static final Logger log = LoggerFactory.getLogger(Inventory.class);

  private final Disk disk;
  private final Path dir;
  private final Path path;
  private final Hour hour;
  private final ByteBuffer staging;
  private long nextGroup = 1;
  private boolean exists;

  /** What a group of records says. */
  interface Records {
    void writeTo(FrameWriter out) throws IOException;
  }

  /**
   * @param staging shared by the inventories that one thread writes
   */
  Inventory(Disk disk, Path dir, Hour hour, ByteBuffer staging) {
    this.disk = disk;
    this.dir = dir;
    this.path = StoreFiles.inventory(dir);
    this.hour = hour;
    this.staging = staging;
  }

  /**
   * Reads all records; cuts off a group that a crash tore apart.
   *
   * @throws CorruptException naming the file, the offset and the remedy
   */
  void load(InventoryRecord.Sink sink) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    FrameReader reader = FrameReader.open(path, FramePreamble.INVENTORY, -1, true);
    if (reader == null) {
      disk.delete(path);
      return;
    }
    checkHour(reader.preamble());
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        InventoryRecord.replay(group, hour, sink);
      } catch (RuntimeException e) {
        throw new CorruptException(path + ": before offset " + reader.goodEnd() + ": " + e, e);
      }
    }
    exists = true;
    nextGroup = reader.nextGroup();
    if (reader.tornBytes() > 0) {
      cut(reader);
    }
  }

  private void checkHour(@Nullable FramePreamble preamble) {
    if (preamble != null && preamble.number() != hour.epochHours()) {
      throw new CorruptException(path + ": belongs to another hour; restore it");
    }
  }

  private void cut(FrameReader reader) throws IOException {
    log.info("{}: offset {}: an interrupted write is cut off", path, reader.goodEnd());
    try (Disk.AppendFile file = disk.append(path)) {
      file.truncate(reader.goodEnd());
      file.force();
    }
  }

  /** Adds records; they are durable on return, all or none. */
  void append(Records records) throws IOException {
    try (FrameWriter writer = open()) {
      try {
        records.writeTo(writer);
        writer.endGroup();
      } catch (IOException e) {
        writer.rollback();
        throw e;
      }
      nextGroup = writer.group();
    }
  }

  private FrameWriter open() throws IOException {
    if (exists) {
      return new FrameWriter(disk.append(path), staging, nextGroup);
    }
    FrameWriter writer =
        FrameWriter.begin(
            disk.create(path),
            staging,
            new FramePreamble(FramePreamble.INVENTORY, hour.epochHours(), nextGroup, 0));
    writer.force();
    disk.forceDirectory(dir);
    exists = true;
    return writer;
  }

  /** Bytes on disk. */
  long bytes() {
    return exists ? path.toFile().length() : 0;
  }
}
