package hourglass.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** The authority of a test, and the certificates that it signs. */
public final class Certificates {
  public static final Duration YEAR = Duration.ofDays(365);

  private static final AtomicLong SERIAL = new AtomicLong(1);
  private static final char[] NO_PASSWORD = {};

  private final Issued authority;

  /** A certificate with its private key. */
  public record Issued(X509Certificate certificate, PrivateKey key) {
    public String certificatePem() {
      return pem(certificate);
    }

    /** Returns the key in the form that its algorithm had before PKCS #8. */
    public String olderKeyPem() {
      return pem(key);
    }

    /** Returns the key in PKCS #8. */
    public String keyPem() {
      String base64 =
          java.util.Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
      return "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
    }

    /** Writes both files, and returns the settings that name them. */
    public String[] write(Path folder, String name) throws IOException {
      Path cert = folder.resolve(name + ".pem");
      Path keyFile = folder.resolve(name + ".key");
      Files.writeString(cert, certificatePem());
      Files.writeString(keyFile, keyPem());
      return new String[] {"http.tls.cert=" + cert, "http.tls.key=" + keyFile};
    }
  }

  private Certificates(Issued authority) {
    this.authority = authority;
  }

  public static Certificates authority(String name) {
    KeyPair pair = pair("EC");
    return new Certificates(
        new Issued(
            sign("CN=" + name, "CN=" + name, pair, pair.getPrivate(), valid(), true),
            pair.getPrivate()));
  }

  /** Returns the certificate of the authority, which clients have to trust. */
  public String pem() {
    return authority.certificatePem();
  }

  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** Issues a certificate for localhost and 127.0.0.1. */
  public Issued server() {
    return server("EC");
  }

  /** Issues a certificate for localhost and 127.0.0.1. The algorithm is EC, RSA or Ed25519. */
  public Issued server(String algorithm) {
    return issue("CN=localhost", algorithm, valid(), local());
  }

  public Issued expiredServer() {
    return issue("CN=localhost", "EC", past(), local());
  }

  public Issued client(String subject, GeneralName... names) {
    return issue(subject, "EC", valid(), names);
  }

  /**
   * Issues a key that GnuTLS can read. It is an RSA key, since GnuTLS needs more in an EC key than
   * the JDK writes.
   */
  public Issued rsaClient(String subject) {
    return issue(subject, "RSA", valid());
  }

  public Issued expiredClient(String subject) {
    return issue(subject, "EC", past());
  }

  public Issued serverUntil(Instant end) {
    return issue("CN=localhost", "EC", new Instant[] {end.minus(YEAR), end}, local());
  }

  private static GeneralName[] local() {
    return new GeneralName[] {
      new GeneralName(GeneralName.dNSName, "localhost"),
      new GeneralName(GeneralName.iPAddress, "127.0.0.1")
    };
  }

  private static Instant[] valid() {
    return new Instant[] {Instant.now().minus(YEAR), Instant.now().plus(YEAR)};
  }

  private static Instant[] past() {
    return new Instant[] {Instant.now().minus(YEAR), Instant.now().minusSeconds(3_600)};
  }

  private Issued issue(
      String subject, String algorithm, Instant[] fromTo, GeneralName... alternatives) {
    KeyPair pair = pair(algorithm);
    String issuer = authority.certificate().getSubjectX500Principal().getName();
    X509Certificate signed =
        sign(subject, issuer, pair, authority.key(), fromTo, false, alternatives);
    return new Issued(signed, pair.getPrivate());
  }

  private static KeyPair pair(String algorithm) {
    try {
      KeyPairGenerator pairs = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        pairs.initialize(new ECGenParameterSpec("secp256r1"));
      }
      return pairs.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate sign(
      String subject,
      String issuer,
      KeyPair pair,
      PrivateKey signer,
      Instant[] fromTo,
      boolean isAuthority,
      GeneralName... alternatives) {
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name(issuer),
            BigInteger.valueOf(SERIAL.getAndIncrement()),
            Date.from(fromTo[0]),
            Date.from(fromTo[1]),
            new X500Name(subject),
            pair.getPublic());
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
      if (alternatives.length > 0) {
        builder.addExtension(
            Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
    } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts this authority alone. */
  public SSLContext trusted() {
    return context(null);
  }

  /**
   * Returns the context of a client that trusts this authority, with the certificate of the client
   * unless it is null.
   */
  public SSLContext context(@Nullable Issued client) {
    try {
      KeyStore trusted = store();
      trusted.setCertificateEntry("authority", authority.certificate());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      KeyManager[] keys = null;
      if (client != null) {
        KeyStore own = store();
        own.setKeyEntry(
            "client", client.key(), NO_PASSWORD, new Certificate[] {client.certificate()});
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, NO_PASSWORD);
        keys = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore store() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return store;
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
