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
 * Finds the key of a syslog sender: the key that its certificate names, or the key in the settings
 * if it has no certificate. Thread-safe.
 *
 * @param gate null if there are no keys, so that every sender may push
 * @param key the name of the key for senders without a certificate; if empty, they may push nothing
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

  /**
   * Returns the client whose key the names or the settings give, or null if it may not push. A
   * certificate that names no key has no rights, not even those of the key in the settings.
   */
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
