package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The kind of a path; a symbolic link counts as its target. */
public enum FileKind {
  FILE("a file"),
  FOLDER("a folder"),
  OTHER("neither a file nor a folder");

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /** Whether the path exists. Throws if it has another kind, or cannot be read. */
  public boolean isAt(Path path) {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      refuseDanglingLink(path);
      return false;
    } catch (IOException e) {
      throw new UnavailableException(
          "%s: cannot be read: %s; it should be %s of this process".formatted(path, e, words), e);
    }
    FileKind kind = found.isRegularFile() ? FILE : found.isDirectory() ? FOLDER : OTHER;
    if (kind != this) {
      throw new CorruptException(
          "%s: is %s, and should be %s; move it away, then restore what belongs there"
              .formatted(path, kind.words, words));
    }
    return true;
  }

  private void refuseDanglingLink(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new CorruptException(
          "%s: is a symbolic link to %s, where nothing is, and should be %s; restore what it leads to"
              .formatted(path, target(path), words));
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
