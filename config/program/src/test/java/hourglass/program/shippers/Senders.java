package hourglass.program.shippers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import hourglass.program.shippers.Shipper.Fault;
import hourglass.program.shippers.Shipper.Kind;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of the clients. Each sends its first messages, and the rest when it may. */
final class Senders implements AutoCloseable {
  private static final int GAP_MILLIS = 10;
  private static final int GAP_MILLIS_IN_OUTAGE = 1;

  private static final Pattern POSITION = Pattern.compile("pos:\\s*(\\d+)");

  private final List<Process> clients = new ArrayList<>();
  private final List<Process> daemons = new ArrayList<>();

  /** The inputs of daemons, each with its number of messages at the end. */
  private final Map<Path, Integer> inputs = new LinkedHashMap<>();

  /** The last words of each client: "done", or why it failed. Daemons have none. */
  private final Map<String, String> said = new ConcurrentHashMap<>();

  /** Complaints of OpenTelemetry's agent about the answers it gets. */
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  /** Processes of Java that have begun. */
  private final AtomicInteger ready = new AtomicInteger();

  /** Clients that have handed over their last message. */
  private final AtomicInteger made = new AtomicInteger();

  private final int clientsInAll;
  private final @Nullable TlsParties tls;

  /**
   * Starts them.
   *
   * @param ports by client, of its proxy
   * @param tls null: without TLS
   */
  Senders(Path folder, Fault fault, Map<Shipper, Integer> ports, @Nullable TlsParties tls)
      throws IOException {
    this.tls = tls;
    this.clientsInAll = (int) ports.keySet().stream().filter(s -> s.kind() != Kind.DAEMON).count();
    int messages = messages(Kind.JAVA, ports, fault);
    startJava(List.of(), Map.of(), fault, messages, urls(Kind.JAVA, ports));
    for (Map.Entry<String, String> agent : urls(Kind.AGENT, ports).entrySet()) {
      Map<String, String> environment =
          Map.ofEntries(
              Map.entry("OTEL_JAVAAGENT_ENABLED", "true"), // although the JVM compiles a source
              Map.entry("OTEL_SERVICE_NAME", agent.getKey() + "-" + fault),
              Map.entry("OTEL_EXPORTER_OTLP_ENDPOINT", agent.getValue()),
              Map.entry("OTEL_BLRP_SCHEDULE_DELAY", "100"),
              Map.entry("OTEL_BLRP_MAX_QUEUE_SIZE", "100000"),
              Map.entry("OTEL_METRIC_EXPORT_INTERVAL", "1000"));
      String flag = "-javaagent:" + InstalledShippers.agent();
      int ofAgent = messages(Kind.AGENT, ports, fault);
      startJava(List.of(flag), environment, fault, ofAgent, Map.ofEntries(agent));
    }
    // Their start takes longest, and others would repeat and give up meanwhile.
    await()
        .until(() -> ready.get() == clients.size() || !clients.stream().allMatch(Process::isAlive));
    Map<String, String> node = urls(Kind.NODE, ports);
    if (!node.isEmpty()) {
      JsonObject trial =
          new JsonObject()
              .put("count", messages(Kind.NODE, ports, fault))
              .put("first", Shipper.FIRST)
              .put("gapMillis", gapMillis(fault))
              .put("run", fault)
              .put("clients", new JsonObject(new LinkedHashMap<String, Object>(node)));
      List<String> command = List.of("node", "send.mjs", trial.encode());
      Map<String, String> environment = tls == null ? Map.of() : tls.environment();
      clients.add(start(InstalledShippers.node(), command, environment));
    }
    for (Shipper shipper : ports.keySet()) {
      if (shipper.kind() == Kind.DAEMON) {
        startDaemon(Files.createTempDirectory(folder, shipper.name()), shipper, fault, ports);
      }
    }
  }

  /** The messages of each client of a kind; 0 if there is none. */
  private static int messages(Kind kind, Map<Shipper, Integer> ports, Fault fault) {
    return ports.keySet().stream()
        .filter(shipper -> shipper.kind() == kind)
        .mapToInt(shipper -> shipper.messages(fault))
        .findFirst()
        .orElse(0);
  }

  private static int gapMillis(Fault fault) {
    return fault == Fault.OUTAGE ? GAP_MILLIS_IN_OUTAGE : GAP_MILLIS;
  }

  private Map<String, String> urls(Kind kind, Map<Shipper, Integer> ports) {
    return ports.entrySet().stream()
        .filter(entry -> entry.getKey().kind() == kind)
        .collect(Collectors.toMap(entry -> entry.getKey().name(), entry -> url(entry.getValue())));
  }

  private String url(int port) {
    return tls == null ? "http://127.0.0.1:" + port : tls.url(port);
  }

  private void startJava(
      List<String> flags,
      Map<String, String> environment,
      Fault fault,
      int messages,
      Map<String, String> urls)
      throws IOException {
    if (!urls.isEmpty()) {
      List<String> command = new ArrayList<>(List.of("java"));
      command.addAll(flags);
      command.addAll(List.of("-cp", InstalledShippers.java(), InstalledShippers.JAVA_SOURCE));
      command.addAll(List.of("" + messages, "" + Shipper.FIRST, "" + gapMillis(fault)));
      command.add(fault.name());
      urls.forEach((name, url) -> command.add(name + "=" + url));
      clients.add(start(Path.of("."), command, environment));
    }
  }

  private Process start(Path folder, List<String> command, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    Thread reader = new Thread(() -> read(process), "senders");
    reader.setDaemon(true);
    reader.start();
    return process;
  }

  private void read(Process process) {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ready.addAndGet(line.equals("ready") ? 1 : 0);
        made.addAndGet(line.equals("made") ? 1 : 0);
        String[] words = line.split(" ", 2);
        if (words.length == 2 && words[1].matches("done|failed: .*")) {
          said.put(words[0], words[1]);
        }
        if (line.startsWith("[otel.javaagent") && (line.contains("WARN") || line.contains("ERR"))) {
          complaints.add(line);
        }
      }
    } catch (IOException e) {
      said.put("a process", "was ended: " + e);
    }
  }

  private void startDaemon(Path folder, Shipper shipper, Fault fault, Map<Shipper, Integer> ports)
      throws IOException {
    Path input = folder.resolve("input");
    inputs.put(input, shipper.messages(fault));
    write(input, 1, Shipper.FIRST);
    Map<String, String> values =
        Map.of(
            "@FOLDER@", folder.toString(),
            "@PORT@", ports.get(shipper).toString(),
            "@TLS@", tls == null ? "" : tls.folder().toString(),
            "@TYPE@", shipper.type(fault));
    String configuration = InstalledShippers.configuration(shipper.name());
    for (Map.Entry<String, String> value : values.entrySet()) {
      configuration = configuration.replace(value.getKey(), value.getValue());
    }
    Path file = Files.writeString(folder.resolve("conf"), configuration);
    ProcessBuilder daemon = InstalledShippers.daemon(shipper.name(), folder, file);
    File log = folder.resolve("log").toFile();
    daemons.add(daemon.redirectErrorStream(true).redirectOutput(log).start());
  }

  private static void write(Path input, int from, int to) throws IOException {
    Files.write(
        input,
        IntStream.rangeClosed(from, to).mapToObj(Shipper::text).toList(),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Lets the clients send the rest. */
  void sendMore() throws IOException {
    signal();
    for (Map.Entry<Path, Integer> input : inputs.entrySet()) {
      write(input.getKey(), Shipper.FIRST + 1, input.getValue());
    }
  }

  /** Lets clients end that wait for the end of the fault. */
  void end() throws IOException {
    signal();
  }

  private void signal() throws IOException {
    for (Process client : clients) {
      if (client.isAlive()) { // all of its clients may have given up
        client.getOutputStream().write('\n');
        client.getOutputStream().flush();
      }
    }
  }

  /** Whether each client has been given its last message, or has failed. */
  boolean haveMadeTheirMessages() {
    long failed = said.values().stream().filter(words -> !words.equals("done")).count();
    return made.get() + failed >= clientsInAll;
  }

  /** Whether no daemon has more of its input to read. */
  boolean haveReadTheirInputs() {
    return daemons.stream()
        .flatMap(daemon -> Stream.concat(Stream.of(daemon.toHandle()), daemon.descendants()))
        .noneMatch(this::hasMoreToRead);
  }

  /**
   * Compares the positions of the open files, which Linux reports; rsyslog has its input open
   * twice.
   */
  private boolean hasMoreToRead(ProcessHandle process) {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    boolean hasInput = false;
    try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
      for (Path file : files.toList()) {
        Path input = Files.readSymbolicLink(file);
        if (inputs.containsKey(input)) {
          hasInput = true;
          String info = Files.readString(proc.resolve("fdinfo").resolve(file.getFileName()));
          Matcher position = POSITION.matcher(info);
          if (position.find() && Long.parseLong(position.group(1)) == Files.size(input)) {
            return false;
          }
        }
      }
      return hasInput;
    } catch (IOException | UncheckedIOException e) {
      return false; // the process or its file is no more
    }
  }

  /** Whether a client has nothing left to send; a daemon never ends. */
  boolean hasEnded(Shipper shipper) {
    return said.containsKey(shipper.name());
  }

  String said(Shipper shipper) {
    return said.getOrDefault(shipper.name(), "");
  }

  /** Returns the output of the clients that should print nothing. */
  List<String> complaints() {
    return complaints;
  }

  void awaitEndOfClients() {
    await().until(() -> clients.stream().noneMatch(Process::isAlive));
  }

  @Override
  public void close() {
    clients.forEach(Process::destroyForcibly);
    daemons.forEach(
        daemon -> {
          daemon.descendants().forEach(ProcessHandle::destroyForcibly);
          daemon.destroyForcibly();
        });
  }

  @Override
  public String toString() {
    return said.toString();
  }
}
