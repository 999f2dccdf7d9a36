package hourglass.store.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The archive of a server's parsed classes, which saves a third of the CPU of its starts. In tests,
 * a server without an archive makes one when it ends in order. If an archive cannot be made or
 * used, the server starts without one. Safe for several threads and processes.
 */
final class ServerArchive {
  /** An archive that nobody used for so long makes room. */
  private static final Duration KEPT = Duration.ofDays(30);

  private static final String WATCHDOG =
      ParentWatchdog.class.getName().replace('.', '/') + ".class";

  /**
   * Whether servers make archives. That takes seconds at their end, so only tests ask for it: a
   * user waits for the end of {@code hourglass sandbox}.
   */
  private static final boolean IS_MADE =
      "make".equals(System.getProperty("hourglass.sandbox.archives"));

  private final JavaCommand command;
  private final Recording recording;

  /** The archive that a server writes while it ends, if any. */
  private record Recording(
      @Nullable Path prefix, @Nullable Path made, @Nullable FileChannel locked) {
    static final Recording NONE = new Recording(null, null, null);
  }

  private ServerArchive(JavaCommand command, Recording recording) {
    this.command = command;
    this.recording = recording;
  }

  /**
   * The folder of archives. It is in the user's cache, since a build that begins anew has the same
   * servers.
   */
  static Path folder() {
    return Path.of(System.getProperty("user.home"), ".cache", "hourglass", "class-archives");
  }

  /** Returns the archive for one start of a server. {@link #ended} must follow. */
  static ServerArchive of(JavaCommand server, Path folder) {
    try {
      if (server.classPath().stream().allMatch(Files::isRegularFile)
          && folder.isAbsolute()
          && !folder.toString().contains(File.pathSeparator)) {
        Files.createDirectories(folder);
        JavaCommand command = server.endingWithParent(watchdog(folder));
        return of(command, folder, folder.resolve(key(command)));
      }
    } catch (IOException | UncheckedIOException e) {
      // a cache that cannot be written
    }
    Path own = JavaCommand.codeOf(ParentWatchdog.class);
    return new ServerArchive(server.endingWithParent(own), Recording.NONE);
  }

  private static ServerArchive of(JavaCommand command, Path folder, Path prefix)
      throws IOException {
    for (Path archive : files(folder, prefix.getFileName() + "-", ".jsa")) {
      // A JVM crashes if its archive was cut short. It detects other damage by checksums.
      if (archive.equals(archive(prefix, Files.size(archive)))) {
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now()));
        return new ServerArchive(using(command, archive), Recording.NONE);
      }
    }
    FileChannel locked = IS_MADE ? lock(prefix) : null;
    if (locked == null) {
      return new ServerArchive(command, Recording.NONE); // or another server makes it
    }
    try {
      for (Path left : files(folder, prefix.getFileName() + ".", ".new")) {
        Files.deleteIfExists(left); // by one that was killed
      }
    } catch (IOException | RuntimeException e) {
      locked.close();
      throw e;
    }
    Path made = Path.of(prefix + "." + ProcessHandle.current().pid() + ".new");
    JavaCommand making = command.withFlags(List.of("-XX:ArchiveClassesAtExit=" + made));
    return new ServerArchive(quiet(making), new Recording(prefix, made, locked));
  }

  private static JavaCommand using(JavaCommand command, Path archive) {
    return quiet(
        command.withFlags(
            List.of(
                "-XX:SharedArchiveFile=" + archive,
                "-XX:+VerifySharedSpaces",
                // By default, a JVM maps its archive at a random address, which hinders attacks,
                // but touches all its pages.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0")));
  }

  /** Returns a command that does not complain of classes and archives that are left out. */
  private static JavaCommand quiet(JavaCommand command) {
    return command.withFlags(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
  }

  private static Path archive(Path prefix, long size) {
    return Path.of(prefix + "-" + size + ".jsa");
  }

  private static @Nullable FileChannel lock(Path prefix) throws IOException {
    FileChannel file =
        FileChannel.open(
            Path.of(prefix + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (file.tryLock() != null) {
        return file;
      }
    } catch (OverlappingFileLockException e) {
      // by this process
    }
    file.close();
    return null;
  }

  JavaCommand command() {
    return command;
  }

  /** Whether the server writes an archive while it ends, which takes seconds. */
  boolean isMade() {
    return recording.made() != null;
  }

  /** Keeps the archive that the server made, if it ended in order. Later calls do nothing. */
  synchronized void ended(boolean inOrder) {
    Path prefix = recording.prefix();
    Path made = recording.made();
    try (FileChannel locked = recording.locked()) {
      if (prefix != null && made != null && locked != null && locked.isOpen()) {
        if (inOrder && Files.exists(made)) {
          Files.move(made, archive(prefix, Files.size(made)), StandardCopyOption.ATOMIC_MOVE);
          makeRoom(prefix.resolveSibling(""));
        }
        Files.deleteIfExists(made);
      }
    } catch (IOException e) {
      // the next server tries again
    }
  }

  private static void makeRoom(Path folder) throws IOException {
    Instant old = Instant.now().minus(KEPT);
    for (Path archive : files(folder, "", "")) {
      if (Files.getLastModifiedTime(archive).toInstant().isBefore(old)) {
        Files.deleteIfExists(archive);
      }
    }
  }

  private static List<Path> files(Path folder, String start, String end) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith(start))
          .filter(file -> file.getFileName().toString().endsWith(end))
          .toList();
    }
  }

  /** Names the JVM, the jars as they are, and all that decides on the layout of objects. */
  private static String key(JavaCommand command) throws IOException {
    List<String> parts = new ArrayList<>();
    parts.add(command.home().toRealPath() + " " + Files.readString(release(command.home())));
    command.flags().stream().filter(flag -> !flag.startsWith("-D")).forEach(parts::add);
    for (Path jar : command.classPath()) {
      parts.add(jar + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar));
    }
    return digest(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
  }

  private static Path release(Path home) {
    return home.resolve("release");
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A jar of one class that stays as it is: folders cannot be archived, and jars are rebuilt. */
  private static Path watchdog(Path folder) throws IOException {
    byte[] code;
    try (InputStream in = ParentWatchdog.class.getResourceAsStream("/" + WATCHDOG)) {
      if (in == null) {
        throw new IOException(WATCHDOG + " is missing");
      }
      code = in.readAllBytes();
    }
    Path jar = folder.resolve("watchdog-" + digest(code) + ".jar");
    if (!Files.exists(jar)) {
      Path fresh = Files.createTempFile(folder, "watchdog", ".new");
      try (OutputStream file = Files.newOutputStream(fresh);
          JarOutputStream out = new JarOutputStream(file)) {
        out.putNextEntry(new JarEntry(WATCHDOG));
        out.write(code);
        out.closeEntry();
      }
      Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE);
    }
    return jar;
  }
}
