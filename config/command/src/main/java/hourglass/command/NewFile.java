package hourglass.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes a file that only its owner may read, since it contains a secret or what is known of
 * others. A file with its name that contains anything is whole.
 */
public final class NewFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private NewFile() {}

  /** Writes the bytes of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file that does not exist yet. If the content cannot be written, no file is left.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  public static void write(Path file, Content content) throws IOException {
    Files.createFile(file, ownerOnly()); // reserves the name, so that only one writer succeeds
    Path part = file.resolveSibling(file.getFileName() + ".part");
    boolean isWhole = false;
    try {
      try (FileChannel channel =
          FileChannel.open(
              part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly())) {
        content.writeTo(Channels.newOutputStream(channel));
        channel.force(true);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      isWhole = true;
    } finally {
      if (!isWhole) {
        Files.deleteIfExists(part);
        Files.deleteIfExists(file);
      }
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return isPosix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }
}
