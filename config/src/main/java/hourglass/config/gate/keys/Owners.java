package hourglass.config.gate.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The owner, group and permissions of a file, which are copied to the file that replaces it.
 * Otherwise a server could no longer read a file that an administrator has changed. Immutable.
 *
 * @param before null if there is no file yet, so that a new one belongs to its creator
 */
record Owners(@Nullable PosixFileAttributes before) {

  static Owners of(Path file) throws IOException {
    return new Owners(Files.exists(file) ? view(file).readAttributes() : null);
  }

  /**
   * Gives a file to the owner and group. Throws {@link KeysFileException} if this user may not do
   * so.
   */
  void give(Path made) throws IOException {
    if (before == null) {
      return;
    }
    PosixFileAttributes now = view(made).readAttributes();
    UserPrincipal owner = before.owner();
    GroupPrincipal group = before.group();
    try {
      if (!now.group().equals(group)) { // first, because this user may not own it afterwards
        view(made).setGroup(group);
      }
      if (!now.owner().equals(owner)) {
        view(made).setOwner(owner);
      }
    } catch (IOException e) {
      throw new KeysFileException(
          ("it belongs to user %1$s and group %2$s, and this user may not make such a file;"
                  + " run this as %1$s or root")
              .formatted(owner.getName(), group.getName()));
    }
  }

  void permit(Path made) throws IOException {
    if (before != null && !view(made).readAttributes().permissions().equals(before.permissions())) {
      view(made).setPermissions(before.permissions());
    }
  }

  static boolean mayOthersWrite(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      return permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException e) {
      return false; // reading the file reports the failure
    }
  }

  static String nameOf(Path file) {
    try {
      return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
    } catch (IOException e) {
      return "another user";
    }
  }

  /**
   * Returns the attributes of a file. They are never those of a link's target, whose folder may
   * belong to another user.
   */
  private static PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }
}
