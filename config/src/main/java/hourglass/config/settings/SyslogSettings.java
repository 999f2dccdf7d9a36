package hourglass.config.settings;

import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.ingest.syslog.SyslogAddress;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import hourglass.ingest.syslog.SyslogOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

final class SyslogSettings {
  static final SettingGroup ALL = new SettingGroup("syslog");

  private static final SyslogOptions DEFAULT = SyslogOptions.DEFAULTS;

  private static final Setting<List<SyslogAddress>> LISTEN =
      ALL.key(
              "listen",
              Kinds.list(
                  "a list such as [\"tcp://127.0.0.1:5514\", \"udp://127.0.0.1:5514\"]; tls://,"
                      + " too",
                  SyslogAddress::parse),
              DEFAULT.listen())
          .about(
              "Where the ingest role takes syslog; port 0 takes any free one. `tls://` uses the"
                  + " files of `http.tls`. Beyond loopback only with `http.allow-open`, or by"
                  + " `tls://` with `http.tls.client-auth = required`.");
  private static final Setting<String> KEY =
      ALL.key("key", Kinds.optionalText("the name of a key; empty: none"), "")
          .about(
              "With `keys.file`, the key whose event types and limits hold for senders without a"
                  + " certificate, who cannot show one. It needs the scope ingest. Without it they"
                  + " may send nothing.");
  private static final Setting<ZoneId> TIME_ZONE =
      ALL.key(
              "time-zone",
              Kinds.scalar("a time zone such as UTC or Europe/Berlin", ZoneId::of, ZoneId::getId),
              DEFAULT.zone())
          .about("The zone of times without one, as in RFC 3164.");
  private static final Setting<Integer> MAX_CONNECTIONS =
      ALL.key("max-connections", Kinds.count(1, 100_000), DEFAULT.connectionsMax())
          .about(
              "Connections of all syslog listeners together; one address, or /64 of IPv6, may have"
                  + " three quarters of what the others leave. A further one is closed at once.");
  private static final Setting<Duration> IDLE_TIMEOUT =
      ALL.key("idle-timeout", Kinds.duration("10 s", "365 d"), DEFAULT.idleTimeout())
          .about(
              "A connection that sends nothing for so long is closed. Its sender loses the next"
                  + " message, so this is long.");

  private SyslogSettings() {}

  static SyslogOptions read(SettingsReader reader, HttpOptions http, boolean hasKeys) {
    SyslogOptions options =
        new SyslogOptions(
            reader.get(LISTEN),
            reader.get(TIME_ZONE),
            reader.get(MAX_CONNECTIONS),
            reader.get(IDLE_TIMEOUT));
    boolean hasKey = !reader.get(KEY).isEmpty();
    for (SyslogAddress address : options.listen()) {
      refuse(reader, address, http, hasKeys && !hasKey);
    }
    return options;
  }

  /** Reads the name of the key, and reports one that is set without a file of keys. */
  static String readKey(SettingsReader reader, boolean hasKeys) {
    String key = reader.get(KEY);
    if (!key.isEmpty() && !hasKeys) {
      reader.refuse(KEY, "no key, or keys.file");
    }
    return key;
  }

  /**
   * Reports an address that cannot work, and an address that is reachable from other machines
   * without permission.
   */
  private static void refuse(
      SettingsReader reader, SyslogAddress address, HttpOptions http, boolean wantsKey) {
    TlsOptions tls = address.transport() == Transport.TLS ? http.tls() : null;
    ClientCertificates certificates = tls == null ? ClientCertificates.NONE : tls.clients();
    String problem = null;
    if (address.transport() == Transport.TLS && tls == null) {
      problem = "without a certificate; want http.tls.cert and http.tls.key";
    } else if (wantsKey && certificates == ClientCertificates.NONE) {
      problem =
          "its senders can show no key; want syslog.key = the name of one, or tls:// with"
              + " http.tls.client-auth = required";
    } else if (certificates != ClientCertificates.REQUIRED
        && !http.allowOpen()
        && isOpen(address)) {
      problem =
          "reachable from other machines, or unknown; want a loopback address such as 127.0.0.1,"
              + " tls:// with http.tls.client-auth = required, or http.allow-open = true";
    }
    if (problem != null) {
      reader.add("syslog.listen = %s: %s".formatted(address, problem));
    }
  }

  private static boolean isOpen(SyslogAddress address) {
    try {
      return !address.isLoopback();
    } catch (UnknownHostException e) {
      return true;
    }
  }
}
