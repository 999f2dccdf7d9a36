package hourglass.config.server;

import hourglass.access.Client;
import hourglass.access.Quotas;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.auth.AccessGate;
import hourglass.config.gate.tls.PeerNames;
import hourglass.ingest.syslog.SyslogSenders;
import io.vertx.core.net.NetSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of syslog's senders: that of a certificate, else the one of the settings. Thread-safe.
 *
 * @param gate null: no keys; every sender may push
 * @param key the name of the key of senders without a certificate; empty: they may push nothing
 */
record SyslogClients(@Nullable AccessGate gate, String key, Quotas quotas)
    implements SyslogSenders {
  @Override
  public @Nullable Client of(NetSocket connection) {
    List<String> names = PeerNames.of(connection.sslSession());
    return of(connection.remoteAddress().hostAddress(), names);
  }

  @Override
  public String address(NetSocket connection) {
    return ClientAddress.ofPeer(connection.remoteAddress().hostAddress());
  }

  @Override
  public @Nullable Client of(String address) {
    return of(address, List.of());
  }

  /** A certificate without a key has no rights, and none of another key. */
  private @Nullable Client of(@Nullable String address, List<String> names) {
    Client client;
    if (gate == null) {
      client = Client.open(ClientAddress.ofPeer(address));
    } else {
      client =
          names.isEmpty() && key.isEmpty()
              ? null
              : gate.pusher(names.isEmpty() ? List.of(key) : names);
    }
    return client == null ? null : client.within(quotas);
  }
}
