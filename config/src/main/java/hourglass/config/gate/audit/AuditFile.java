package hourglass.config.gate.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines with a bounded size, and the older files besides it. Used by one thread.
 *
 * <pre>
 *   audit.log  ->  audit.log.1  ->  ...  ->  audit.log.5  ->  deleted
 * </pre>
 *
 * <p>After a crash all lines are complete, except perhaps the last one, which the next start ends.
 */
final class AuditFile implements AutoCloseable {
  /**
   * The options for opening the file. One channel reads and writes, because closing another channel
   * on the same file would release its lock.
   */
  private static final Set<OpenOption> OWN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final long rotateBytes;
  private final int keep;

  /** The open file, or null after a failure, until the next attempt. */
  private @Nullable FileChannel channel;

  AuditFile(Path path, long rotateBytes, int keep) {
    this.path = path;
    this.rotateBytes = rotateBytes;
    this.keep = keep;
  }

  /** Opens the file, and creates it if necessary. Throws if another process has it open. */
  void open() throws IOException {
    if (channel == null) {
      channel = opened();
    }
  }

  private FileChannel opened() throws IOException {
    FileChannel opening = FileChannel.open(path, OWN, OWNER_ONLY);
    try {
      lock(opening);
      opening.position(opening.size());
      if (isTorn(opening)) {
        write(opening, ByteBuffer.wrap(new byte[] {'\n'}));
      }
      return opening;
    } catch (IOException | RuntimeException e) {
      opening.close();
      throw e;
    }
  }

  /** Locks the file. The lock ends with the process, however the process ends. */
  private void lock(FileChannel opening) throws IOException {
    boolean isMine;
    try {
      isMine = opening.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      isMine = false;
    }
    if (!isMine) {
      throw new IOException("another process writes to it; want a file for each");
    }
  }

  private static boolean isTorn(FileChannel opening) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    long size = opening.size();
    return size > 0 && opening.read(last, size - 1) == 1 && last.get(0) != '\n';
  }

  /** Appends all of the lines, or throws and appends none of them. */
  void append(byte[] lines) throws IOException {
    open();
    FileChannel out = channel;
    if (out == null) {
      throw new IOException("not open");
    }
    if (out.size() > 0 && out.size() + lines.length > rotateBytes) {
      rotate();
      append(lines);
      return;
    }
    long before = out.size();
    try {
      write(out, ByteBuffer.wrap(lines));
    } catch (IOException e) {
      try (out) {
        channel = null;
        out.truncate(before);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private static void write(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private void rotate() throws IOException {
    close();
    for (int i = keep; i > 0; i--) {
      Path from = i == 1 ? path : older(i - 1);
      if (Files.exists(from)) {
        Files.move(from, older(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.deleteIfExists(path); // unless it was moved
  }

  private Path older(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
