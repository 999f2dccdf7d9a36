package hourglass.program.shippers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.program.shippers.Shipper.Answers;
import hourglass.program.shippers.Shipper.Fault;
import hourglass.testing.FreePorts;
import hourglass.testing.Patience;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Real clients, each behind a proxy of its own, that send numbered messages to one server. */
final class ShipperTrial implements AutoCloseable {
  /** Limit for daemons, which do not report when they have sent everything. */
  private static final Duration PATIENCE = Patience.LONGEST;

  /** Which of a client's pushes is not answered: one in the middle. */
  private static final int LOST_PUSH = 2;

  /** No disk has so much: the store refuses every write with 503. */
  private static final String FULL = "store.embedded.free-space-reserve=1024TiB";

  private final Path folder;
  private final List<Shipper> shippers;
  private final int syslogPort;
  private final List<String> settings = new ArrayList<>();
  private final @Nullable TlsParties tls;
  private ServerProcess server;
  private Duration outage = Duration.ZERO;

  /**
   * Starts the server.
   *
   * @param tls null: without TLS. With it, proxies cannot see what they pass
   */
  ShipperTrial(Path folder, List<Shipper> shippers, @Nullable TlsParties tls) throws IOException {
    this.folder = folder;
    this.shippers = shippers;
    this.tls = tls;
    this.syslogPort = FreePorts.next();
    settings.add("http.port=" + FreePorts.next());
    String transport = tls == null ? "tcp" : "tls";
    settings.add("syslog.listen=[\"" + transport + "://127.0.0.1:" + syslogPort + "\"]");
    if (tls != null) {
      settings.addAll(tls.settings());
    }
    this.server = ServerProcess.start(folder, settings.toArray(String[]::new));
  }

  /** Lets all shippers send through the fault, and compares what is stored with what they sent. */
  void run(Fault fault) throws Exception {
    Map<Shipper, LosingProxy> proxies = new LinkedHashMap<>();
    try {
      for (Shipper shipper : shippers) {
        LosingProxy proxy =
            new LosingProxy(shipper.answers() == Answers.NONE ? syslogPort : server.port());
        proxy.loseAnswer(fault == Fault.ANSWER_LOST ? LOST_PUSH : 0);
        proxies.put(shipper, proxy);
      }
      if (fault == Fault.OVERLOAD) {
        restart(FULL);
      }
      Map<Shipper, Integer> ports = new LinkedHashMap<>();
      proxies.forEach((shipper, proxy) -> ports.put(shipper, proxy.port()));
      try (Senders senders = new Senders(folder, fault, ports, tls)) {
        happen(fault, proxies, senders);
        if (fault == Fault.OUTAGE) {
          outage(proxies.values(), senders);
        } else {
          senders.sendMore();
        }
        senders.end();
        senders.awaitEndOfClients();
        awaitDaemons(fault);
        List<String> faults = new ArrayList<>();
        proxies.forEach((shipper, proxy) -> check(shipper, fault, proxy, senders, faults));
        if (fault == Fault.NONE) {
          faults.addAll(senders.complaints());
        }
        assertThat(faults).as(fault + " " + senders + server.log()).isEmpty();
      }
    } finally {
      proxies.values().forEach(LosingProxy::close);
    }
  }

  private void happen(Fault fault, Map<Shipper, LosingProxy> proxies, Senders senders)
      throws Exception {
    switch (fault) {
      case KILLED -> {
        awaitEach(proxies, senders, EnumSet.of(Answers.NONE), LosingProxy::pushes);
        server.kill();
        restart();
      }
      case OVERLOAD -> {
        EnumSet<Answers> unseen = EnumSet.of(Answers.NONE, Answers.LATE);
        awaitEach(proxies, senders, unseen, LosingProxy::refused);
        server.kill(); // an end in order may take longer than some clients try again
        restart();
      }
      default -> {}
    }
  }

  /** Nothing is on its way when it begins: what syslog loses then, no client knows. */
  private void outage(Collection<LosingProxy> proxies, Senders senders) throws Exception {
    await()
        .until(
            () ->
                shippers.stream()
                    .allMatch(
                        shipper ->
                            senders.hasEnded(shipper)
                                || read(shipper.type(Fault.OUTAGE)).size() >= Shipper.FIRST));
    long beginNanos = System.nanoTime();
    for (LosingProxy proxy : proxies) {
      proxy.leave();
    }
    senders.sendMore();
    await().until(senders::haveReadTheirInputs);
    await().until(senders::haveMadeTheirMessages);
    for (LosingProxy proxy : proxies) {
      proxy.comeBack();
    }
    outage = Duration.ofNanos(System.nanoTime() - beginNanos);
  }

  private void awaitDaemons(Fault fault) {
    List<Shipper> daemons =
        shippers.stream()
            .filter(shipper -> shipper.kind() == Shipper.Kind.DAEMON)
            .filter(shipper -> !shipper.givesUp().contains(fault))
            .toList();
    try {
      await()
          .atMost(PATIENCE)
          .until(
              () -> daemons.stream().allMatch(d -> read(d.type(fault)).size() >= d.least(fault)));
    } catch (ConditionTimeoutException e) {
      System.out.println("the check tells which of the daemons did not send everything");
    }
  }

  private interface Count {
    int of(LosingProxy proxy);
  }

  private static void awaitEach(
      Map<Shipper, LosingProxy> proxies, Senders senders, Set<Answers> unseen, Count count) {
    await()
        .until(
            () ->
                proxies.entrySet().stream()
                    .allMatch(
                        entry ->
                            unseen.contains(entry.getKey().answers())
                                || count.of(entry.getValue()) > 0
                                || senders.hasEnded(entry.getKey())));
  }

  /** Restarts the server on the same port and data; a running one is stopped in order first. */
  private void restart(String... more) throws Exception {
    if (server.isAlive()) {
      assertThat(server.terminate()).isZero();
    }
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of(more));
    server = server.restartWith(all.toArray(String[]::new));
  }

  private void check(
      Shipper shipper, Fault fault, LosingProxy proxy, Senders senders, List<String> faults) {
    BitSet stored = new BitSet();
    int repeats = 0;
    for (String line : read(shipper.type(fault))) {
      Matcher number = Shipper.NUMBER.matcher(line);
      if (!number.find()) {
        faults.add(shipper.name() + " sent no such thing: " + line);
        continue;
      }
      int n = Integer.parseInt(number.group(1));
      if (stored.get(n) && repeats++ >= shipper.uncertain(fault)) {
        faults.add(shipper.name() + ": twice: " + line);
      }
      stored.set(n);
      JsonObject data = new JsonObject(line).getJsonObject("data");
      if (!contains(data, shipper.payload(n))) {
        faults.add(shipper.name() + ": another payload: " + line);
      }
    }
    BitSet missing = proxy.acknowledged();
    missing.andNot(stored);
    if (!missing.isEmpty()) {
      faults.add(shipper.name() + ": acknowledged and lost: " + missing);
    }
    boolean mayGiveUp = shipper.givesUp().contains(fault) || !shipper.outlasts(outage);
    if (stored.cardinality() < shipper.least(fault) && !mayGiveUp) {
      faults.add(
          "%s: %d of %d messages, %s"
              .formatted(
                  shipper.name(),
                  stored.cardinality(),
                  shipper.messages(fault),
                  senders.said(shipper)));
    }
    if (fault == Fault.ANSWER_LOST && proxy.lost() == 0 && shipper.answers() != Answers.NONE) {
      faults.add(shipper.name() + ": no answer was lost");
    }
    System.out.printf(
        "%-12s %-24s %d of %d stored, first gap %d, %d pushes, %d refused, %d answers lost; %s%n",
        fault,
        shipper.name(),
        stored.cardinality(),
        shipper.messages(fault),
        stored.nextClearBit(1),
        proxy.pushes(),
        proxy.refused(),
        proxy.lost(),
        senders.said(shipper));
  }

  private List<String> read(String type) {
    try {
      String path = "/api/v1/events?limit=all&format=ndjson&type=" + type;
      var answer = tls == null ? server.get(path) : tls.get(server.uri(path));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body().lines().toList();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether every field of {@code part} is in {@code whole}, at any depth. */
  private static boolean contains(JsonObject whole, JsonObject part) {
    return part.stream()
        .allMatch(
            field ->
                field.getValue() instanceof JsonObject inner
                    ? whole.getValue(field.getKey()) instanceof JsonObject outer
                        && contains(outer, inner)
                    : field.getValue().equals(whole.getValue(field.getKey())));
  }

  @Override
  public void close() {
    server.close();
  }
}
