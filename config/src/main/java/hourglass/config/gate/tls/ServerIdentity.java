package hourglass.config.gate.tls;

import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that a server presents, and the authorities of clients that it trusts, from files
 * that fit together. Immutable.
 *
 * @param certificate the server's own
 * @param trust the trust in clients; null if no client is asked for a certificate
 */
record ServerIdentity(
    Files files,
    X509Certificate certificate,
    KeyManagerFactory keys,
    @Nullable X509TrustManager trust) {
  private static final String ALIAS = "server";

  /** The cipher suites of both versions, all with forward secrecy and none with a separate MAC. */
  private static final List<String> CIPHER_SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** The contents of the files, for comparison with later ones. */
  record Files(PemFile cert, PemFile key, @Nullable PemFile clientCa) {
    static Files read(TlsOptions options) throws TlsException {
      return new Files(
          PemFile.read(options.cert()),
          PemFile.read(options.key()),
          options.clientCa() == null ? null : PemFile.read(options.clientCa()));
    }

    @Override
    public String toString() {
      return cert + " and " + key; // never their contents
    }
  }

  /** Reads an identity. Throws if the files do not fit together. */
  static ServerIdentity of(Files files) throws TlsException {
    List<X509Certificate> chain = files.cert().certificates();
    X509Certificate certificate = chain.get(0);
    PrivateKey key = PrivateKeys.read(files.key(), files.cert(), certificate.getPublicKey());
    X509TrustManager trust = files.clientCa() == null ? null : Trust.manager(files.clientCa());
    return new ServerIdentity(files, certificate, keys(files, key, chain), trust);
  }

  private static KeyManagerFactory keys(Files files, PrivateKey key, List<X509Certificate> chain)
      throws TlsException {
    char[] inMemory = {};
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(ALIAS, key, inMemory, chain.toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, inMemory);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw files.cert().refused("cannot be used with its key (" + e.getMessage() + ")", e);
    }
  }

  Instant begin() {
    return certificate.getNotBefore().toInstant();
  }

  Instant end() {
    return certificate.getNotAfter().toInstant();
  }

  /** Adds the identity to the options of a server. */
  ServerSSLOptions addTo(ServerSSLOptions options, ClientCertificates clients) {
    options
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
        .setKeyCertOptions(KeyCertOptions.wrap(keys))
        .setClientAuth(clients.auth);
    if (trust != null) {
      options.setTrustOptions(TrustOptions.wrap(trust));
    }
    CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
    return options;
  }
}
