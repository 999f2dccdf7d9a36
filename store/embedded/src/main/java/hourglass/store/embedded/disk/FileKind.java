package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The kind of a path. An unexpected kind is an error that names the path, the kind found and the
 * kind expected. A symbolic link counts as its target.
 */
public enum FileKind {
  FILE("a file"),
  FOLDER("a folder"),
  OTHER("neither a file nor a folder");

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /**
   * Whether a file of this kind exists.
   *
   * @throws CorruptException if the path has another kind
   * @throws UnavailableException if the path cannot be read
   */
  public boolean isAt(Path path) {
    FileKind found;
    try {
      found = of(Files.readAttributes(path, BasicFileAttributes.class));
    } catch (NoSuchFileException e) {
      refuseDanglingLink(path);
      return false;
    } catch (IOException e) {
      throw new UnavailableException(
          path + ": cannot be looked at: " + e + "; it should be " + words + " of this process", e);
    }
    if (found != this) {
      throw new CorruptException(
          path
              + ": is "
              + found.words
              + ", and should be "
              + words
              + "; move it away, then restore what belongs there");
    }
    return true;
  }

  private static FileKind of(BasicFileAttributes found) {
    return found.isRegularFile() ? FILE : found.isDirectory() ? FOLDER : OTHER;
  }

  private void refuseDanglingLink(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new CorruptException(
          path
              + ": is a symbolic link to "
              + target(path)
              + ", where nothing is, and should be "
              + words
              + "; restore what it leads to");
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "an unknown place";
    }
  }
}
