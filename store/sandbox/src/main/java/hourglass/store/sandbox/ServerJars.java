package hourglass.store.sandbox;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars of a server, as Maven resolves the server's own pom. They stay in Maven's repository;
 * only their list is kept here. Safe for several threads and processes at once.
 */
enum ServerJars {
  CASSANDRA("cassandra"),
  KAFKA("kafka");

  private static final String GOAL = "dependency:build-classpath";
  private static final Pattern DOWNLOADED = Pattern.compile("Downloaded from .*/([^/ ]+\\.jar) .*");
  private static final long POLL_MILLIS = 200;

  private final String server;

  ServerJars(String server) {
    this.server = server;
  }

  /**
   * The class path; fetches what is missing, which the first time takes a minute or so.
   *
   * @param progress gets a line for a person now and then
   * @throws SandboxException if Maven is missing or fails
   */
  List<Path> classPath(Consumer<String> progress) throws InterruptedException {
    synchronized (ServerJars.class) { // a lock of a file is the whole JVM's
      try {
        Path folder = Files.createDirectories(cache().resolve(server));
        try (FileChannel file =
                FileChannel.open(
                    folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = file.lock()) {
          assert lock.isValid();
          return resolved(folder, progress);
        }
      } catch (IOException e) {
        throw new SandboxException("the jars of " + server + " cannot be had: " + e, e);
      }
    }
  }

  private List<Path> resolved(Path folder, Consumer<String> progress)
      throws IOException, InterruptedException {
    Path pom = folder.resolve("pom.xml");
    Path list = folder.resolve("classpath");
    String wanted = Resources.text(server + ".pom.xml");
    if (Files.exists(list) && Files.exists(pom) && Files.readString(pom).equals(wanted)) {
      List<Path> jars = read(list);
      if (jars.stream().allMatch(Files::exists)) {
        return jars;
      }
    }
    Files.writeString(pom, wanted);
    Path fresh = folder.resolve("classpath.new");
    Files.deleteIfExists(fresh);
    runMaven(folder, fresh, progress);
    Files.move(fresh, list, StandardCopyOption.ATOMIC_MOVE);
    return read(list);
  }

  private static List<Path> read(Path list) throws IOException {
    return Stream.of(Files.readString(list).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private void runMaven(Path folder, Path list, Consumer<String> progress)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of("mvn", "-B", "-Dstyle.color=never", GOAL, "-Dmdep.includeScope=runtime"));
    words.add("-Dmdep.outputFile=" + list);
    // Inside a build with a repository of its own, that one.
    Optional.ofNullable(System.getProperty("maven.repo.local"))
        .ifPresent(repository -> words.add("-Dmaven.repo.local=" + repository));
    progress.accept(server + ": asking Maven for the server's jars; what is missing is fetched");
    Path log = folder.resolve("maven.log");
    Process maven = start(words, log);
    try {
      int seen = 0;
      for (boolean ended = false; !ended; ) {
        ended = maven.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        List<String> said = Files.readAllLines(log);
        for (; seen < said.size(); seen++) {
          Matcher downloaded = DOWNLOADED.matcher(said.get(seen));
          if (downloaded.matches()) {
            progress.accept(server + ": fetched " + downloaded.group(1));
          }
        }
      }
      if (maven.exitValue() != 0) {
        throw new SandboxException(
            "Maven could not get the jars of " + server + "; " + LogTail.of(log, 0));
      }
    } finally {
      maven.destroyForcibly();
    }
  }

  private static Process start(List<String> words, Path log) {
    try {
      return new ProcessBuilder(words)
          .directory(log.getParent().toFile())
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start();
    } catch (IOException e) {
      throw new SandboxException(
          "mvn is missing; it fetches the servers (Debian: apt-get install maven; or"
              + " https://maven.apache.org)",
          e);
    }
  }

  /** Below the target/ that this code was built into; for code that lies elsewhere, the user's. */
  private static Path cache() {
    Path code;
    try {
      code = Path.of(ServerJars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    for (Path folder = code; folder != null; folder = folder.getParent()) {
      if (folder.endsWith("target")) {
        return folder.resolve("servers");
      }
    }
    return Path.of(System.getProperty("user.home"), ".cache", "hourglass", "servers");
  }
}
