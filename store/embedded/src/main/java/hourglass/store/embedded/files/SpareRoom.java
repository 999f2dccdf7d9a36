package hourglass.store.embedded.files;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file without meaning, which is deleted where a full disk has no room for the record of a drop.
 * The drop makes room, and then the file is written again. Not thread-safe.
 */
public final class SpareRoom {
  private static final Logger logger = LoggerFactory.getLogger(SpareRoom.class);

  /** Enough for many records, and for the blocks and metadata that a file system takes for one. */
  private static final int BYTES = 256 << 10;

  private final Disk disk;
  private final StoreFiles files;

  public SpareRoom(Disk disk, StoreFiles files) {
    this.disk = disk;
    this.files = files;
  }

  /** Writes the file unless it is there. A failure is only logged. */
  public void keep() {
    Path spare = files.spare();
    try {
      if (FileKind.FILE.isAt(spare)) {
        return;
      }
      byte[] bytes = new byte[BYTES];
      new SplittableRandom().nextBytes(bytes); // a file system may compress or not store zeros
      try (Disk.AppendFile file = disk.create(spare)) {
        file.write(ByteBuffer.wrap(bytes));
        file.force();
      }
      disk.forceDirectory(files.dir());
    } catch (IOException e) {
      logger.info("{}: cannot be written, tried again later: {}", spare, e.toString());
      discard();
    }
  }

  private void discard() {
    try {
      disk.delete(files.spare());
    } catch (IOException e) {
      logger.info("{}: cannot be deleted: {}", files.spare(), e.toString());
    }
  }

  /** A write that has all of its effect or none, and can be repeated after a failure. */
  public interface Write {
    void run() throws IOException;
  }

  /** Runs a write. If it fails and the file is there, it is deleted, and the write runs again. */
  public void writing(Write write) throws IOException {
    try {
      write.run();
    } catch (IOException e) {
      if (!giveUp()) {
        throw e;
      }
      logger.info("{}: deleted to make room, after {}", files.spare(), e.toString());
      write.run();
    }
  }

  /** Deletes the file. Returns whether it was there. */
  private boolean giveUp() throws IOException {
    boolean wasThere = FileKind.FILE.isAt(files.spare());
    if (wasThere) {
      disk.delete(files.spare());
      disk.forceDirectory(files.dir());
    }
    return wasThere;
  }
}
