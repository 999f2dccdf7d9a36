package hourglass.store.sandbox;

import java.io.File;
import java.io.IOException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars of a server in Maven's repository, by the server's own pom. Safe for several threads and
 * processes.
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
   * Fetches missing jars, which takes a minute or so.
   *
   * @throws SandboxException if Maven is missing or fails
   */
  List<Path> classPath() throws InterruptedException {
    synchronized (ServerJars.class) { // a file lock covers the whole JVM
      try {
        Path folder = Files.createDirectories(cache().resolve(server));
        try (FileChannel file =
                FileChannel.open(
                    folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = file.lock()) {
          assert lock.isValid();
          return resolved(folder);
        }
      } catch (IOException e) {
        throw new SandboxException("the jars of " + server + " cannot be had: " + e, e);
      }
    }
  }

  private List<Path> resolved(Path folder) throws IOException, InterruptedException {
    Path pom = folder.resolve("pom.xml");
    Path list = folder.resolve("classpath");
    String wanted = JavaCommand.resource(server + ".pom.xml");
    if (Files.exists(list) && Files.exists(pom) && Files.readString(pom).equals(wanted)) {
      List<Path> jars = read(list);
      if (jars.stream().allMatch(Files::exists)) {
        return jars;
      }
    }
    Files.writeString(pom, wanted);
    Path fresh = folder.resolve("classpath.new");
    Files.deleteIfExists(fresh);
    runMaven(folder, fresh);
    Files.move(fresh, list, StandardCopyOption.ATOMIC_MOVE);
    return read(list);
  }

  private static List<Path> read(Path list) throws IOException {
    return Stream.of(Files.readString(list).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private void runMaven(Path folder, Path list) throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of("mvn", "-B", "-Dstyle.color=never", GOAL, "-Dmdep.includeScope=runtime"));
    words.add("-Dmdep.outputFile=" + list);
    // A build may have a repository of its own.
    Optional.ofNullable(System.getProperty("maven.repo.local"))
        .ifPresent(repository -> words.add("-Dmaven.repo.local=" + repository));
    report("asking Maven for the server's jars; what is missing is fetched");
    Path log = folder.resolve("maven.log");
    Process maven = start(words, folder, log);
    try {
      int seen = 0;
      for (boolean ended = false; !ended; ) {
        ended = maven.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        List<String> said = Files.readAllLines(log);
        for (; seen < said.size(); seen++) {
          Matcher downloaded = DOWNLOADED.matcher(said.get(seen));
          if (downloaded.matches()) {
            report("fetched " + downloaded.group(1));
          }
        }
      }
      if (maven.exitValue() != 0) {
        throw new SandboxException(
            "Maven could not get the jars of " + server + "; " + SandboxServer.tail(log, 0));
      }
    } finally {
      maven.destroyForcibly();
    }
  }

  private void report(String line) {
    System.err.println("sandbox: " + server + ": " + line);
  }

  private static Process start(List<String> words, Path folder, Path log) {
    try {
      return new ProcessBuilder(words)
          .directory(folder.toFile())
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

  /** The cache in the target/ into which this code was built, else in the user's cache. */
  private static Path cache() {
    for (Path folder = JavaCommand.codeOf(ServerJars.class);
        folder != null;
        folder = folder.getParent()) {
      if (folder.endsWith("target")) {
        return folder.resolve("servers");
      }
    }
    return Path.of(System.getProperty("user.home"), ".cache", "hourglass", "servers");
  }
}
