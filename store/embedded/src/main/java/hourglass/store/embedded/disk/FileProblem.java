package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Describes a failure in words for users, who also read them in answers over HTTP. */
public final class FileProblem {
  private FileProblem() {}

  /**
   * Returns the message of a failure of the disk, with the class if the message alone does not name
   * the problem.
   */
  public static String of(Throwable failure) {
    if (!(failure instanceof IOException)) {
      return failure.toString(); // a bug: its class helps
    }
    String message = failure.getMessage();
    String kind = failure.getClass().getSimpleName();
    if (message == null) {
      return kind;
    }
    boolean isOnlyTheFile = failure instanceof FileSystemException file && file.getReason() == null;
    return isOnlyTheFile ? kind + ": " + message : message;
  }
}
