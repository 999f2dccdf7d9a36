package hourglass.config.settings;

import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.TlsOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

final class TlsSettings {
  static final SettingGroup ALL = new SettingGroup("http.tls");

  private static final Setting<String> CERT =
      ALL.key("cert", Kinds.optionalText("a file in PEM; empty: none"), "")
          .about(
              "The server's certificate, and behind it those between it and its authority. With it the"
                  + " port speaks TLS 1.2 and 1.3, and no plain HTTP. A change of the files of TLS holds"
                  + " within five seconds.");
  private static final Setting<String> KEY =
      ALL.key("key", Kinds.optionalText("a file in PEM; empty: none"), "")
          .about("The private key of `http.tls.cert`, unencrypted.");
  private static final Setting<String> CLIENT_CA =
      ALL.key("client-ca", Kinds.optionalText("a file in PEM; empty: none"), "")
          .about("The authorities that sign the certificates of clients.");
  private static final Setting<ClientCertificates> CLIENT_AUTH =
      ALL.key("client-auth", Kinds.oneOf(ClientCertificates.class), ClientCertificates.NONE)
          .about(
              "Whether clients are asked for a certificate, or need one. One that is sent must be"
                  + " valid; its name is that of a key.");

  private TlsSettings() {}

  /** Reads the options of TLS. Returns null if there is no certificate. */
  static @Nullable TlsOptions read(SettingsReader reader) {
    String cert = reader.get(CERT);
    String key = reader.get(KEY);
    String clientCa = reader.get(CLIENT_CA);
    ClientCertificates clients = reader.get(CLIENT_AUTH);
    boolean asks = clients != ClientCertificates.NONE;
    if (cert.isEmpty() != key.isEmpty()) {
      reader.refuse(cert.isEmpty() ? CERT : KEY, "http.tls.cert and http.tls.key, or neither");
    }
    if (asks && cert.isEmpty()) {
      reader.refuse(CLIENT_AUTH, "none, or http.tls.cert and http.tls.key");
    }
    if (asks == clientCa.isEmpty()) {
      reader.refuse(
          CLIENT_CA,
          asks
              ? "the file of the authorities of clients, or http.tls.client-auth = none"
              : "no file, or http.tls.client-auth = optional or required");
    }
    return cert.isEmpty() || key.isEmpty()
        ? null
        : new TlsOptions(
            Path.of(cert), Path.of(key), clientCa.isEmpty() ? null : Path.of(clientCa), clients);
  }
}
