package hourglass.config.gate.keys;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The file of keys on the disk. One process changes it at a time, and readers see the old or the
 * new file, never a part. Immutable.
 */
public final class KeysFile {
  /**
   * The size limit of the file, enough for some 50,000 keys. The file is read as a whole, again and
   * again.
   */
  private static final long BYTES_MAX = 16 << 20;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;

  public KeysFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  public Path path() {
    return path;
  }

  /**
   * Reads the keys. Throws {@link KeysFileException} if the file does not exist, cannot be read, or
   * is wrong.
   */
  public Keys read() {
    return KeysText.read(text());
  }

  String text() {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new KeysFileException("larger than " + BYTES_MAX + " bytes");
      }
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new KeysFileException("there is no such file");
    } catch (AccessDeniedException e) {
      throw new KeysFileException(
          "this user may not read it; it belongs to " + Owners.nameOf(path));
    } catch (IOException e) { // also thrown if the file is not UTF-8
      throw new KeysFileException("cannot be read: " + e.getClass().getSimpleName());
    }
  }

  /** Returns whether the file's group or others may write it, and so could give themselves keys. */
  boolean isForOthersToWrite() {
    return Owners.mayOthersWrite(path);
  }

  /**
   * Adds a secret to a key, and creates the key if there is none of that name.
   *
   * @param grants the permissions of the key; empty ones stay unchanged
   * @return the secret, which nobody can read again
   */
  public String add(String name, KeyGrants grants) throws IOException {
    if (!KeysText.NAME.matcher(name).matches()) {
      throw new KeysFileException(name + ": want 1 to 64 letters, digits and _ . @ -");
    }
    String secret = SecretHash.newSecret();
    edit(
        keys -> {
          Key known = keys.named(name);
          if (known == null && grants.scopes().isEmpty()) {
            throw new KeysFileException(
                name + ": is new, and wants a --scope: ingest, query, metrics or admin");
          }
          List<String> secrets = secrets(known);
          secrets.add(SecretHash.of(secret).text());
          return file ->
              grants
                  .apply(file, at(name))
                  .withValue(at(name, KeysText.SECRETS), ConfigValueFactory.fromIterable(secrets));
        });
    return secret;
  }

  /**
   * Removes a key, or one of its secrets.
   *
   * @param secretId the {@link SecretHash#id} of the secret; null to remove the whole key
   */
  public void revoke(String name, @Nullable String secretId) throws IOException {
    edit(
        keys -> {
          Key known = keys.named(name);
          if (known == null) {
            throw new KeysFileException(name + ": there is no such key");
          }
          if (secretId == null) {
            return file -> file.withoutPath(at(name));
          }
          List<String> left =
              known.secrets().stream()
                  .filter(secret -> !secret.id().equals(secretId))
                  .map(SecretHash::text)
                  .toList();
          if (left.size() == known.secrets().size()) {
            throw new KeysFileException(
                name + ": has no secret " + secretId + "; it has " + known.secrets());
          }
          return file ->
              file.withValue(at(name, KeysText.SECRETS), ConfigValueFactory.fromIterable(left));
        });
  }

  private static List<String> secrets(@Nullable Key key) {
    return key == null
        ? new ArrayList<>()
        : new ArrayList<>(key.secrets().stream().map(SecretHash::text).toList());
  }

  static String at(String... path) {
    return KeysText.KEYS + "." + ConfigUtil.joinPath(path);
  }

  /**
   * Changes the file under a lock. The lock has a file of its own, because the file of keys is
   * replaced.
   */
  private void edit(Function<Keys, Function<Config, Config>> change) throws IOException {
    synchronized (KeysFile.class) { // a file lock excludes only other processes
      editAlone(change);
    }
  }

  private void editAlone(Function<Keys, Function<Config, Config>> change) throws IOException {
    Path real = Files.exists(path) ? path.toRealPath() : path; // a link itself is not replaced
    Owners owners = Owners.of(real);
    try (FileChannel channel = openLock(real, owners);
        FileLock held = channel.lock()) {
      String before = Files.exists(real) ? text() : "";
      Config after = change.apply(KeysText.read(before)).apply(KeysText.parse(before));
      String text =
          after
              .root()
              .render(
                  ConfigRenderOptions.defaults()
                      .setOriginComments(false)
                      .setJson(false)
                      .setFormatted(true));
      KeysText.read(text); // a change that the next start would refuse is refused now
      replace(real, text, owners);
    }
  }

  /**
   * Opens the lock's file. It is created for the owner of the file of keys, who edits that file
   * too.
   */
  private static FileChannel openLock(Path file, Owners owners) throws IOException {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try {
      return make(lock, owners);
    } catch (FileAlreadyExistsException e) {
      return openMade(lock);
    }
  }

  private static FileChannel openMade(Path lock) throws IOException {
    try {
      return FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException e) {
      throw new KeysFileException(
          "%s belongs to %s: run this as that user, or give it to the owner of the file of keys"
              .formatted(lock, Owners.nameOf(lock)));
    }
  }

  /**
   * Creates a file that does not exist yet and gives it to the owner. It never follows a link,
   * because the folder may belong to another user.
   */
  private static FileChannel make(Path file, Owners owners) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
    try {
      owners.give(file);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /**
   * Replaces the file. The new text is forced to disk before it replaces the old file, so that a
   * crash leaves one of them complete.
   */
  private static void replace(Path file, String text, Owners owners) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try (FileChannel channel = make(next, owners)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      owners.permit(next);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
    try (FileChannel folder = FileChannel.open(file.resolveSibling(""))) {
      folder.force(true); // a crash must not restore a revoked key
    }
  }
}
