package hourglass.config.gate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Certificates;
import hourglass.testing.Certificates.Issued;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTlsTest {
  private static final Certificates AUTHORITY = Certificates.authority("Test");

  @TempDir private Path folder;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<BigInteger> applied = new ArrayList<>();
  private Path cert;
  private Path key;
  private ServerTls tls;

  @BeforeEach
  void paths() {
    cert = folder.resolve("server.pem");
    key = folder.resolve("server.key");
  }

  @AfterEach
  void close() {
    if (tls != null) {
      tls.close();
    }
  }

  private void read(Clock clock) throws TlsException {
    TlsOptions options = new TlsOptions(cert, key, null, ClientCertificates.NONE);
    tls = ServerTls.read(options, clock, meters);
  }

  private void write(Issued issued) throws IOException {
    issued.write(folder, "server");
  }

  private boolean look() {
    return tls.look(identity -> applied.add(identity.certificate().getSerialNumber()));
  }

  private double reloads(String outcome) {
    return meters.get("hourglass.http.tls.reload").tag("outcome", outcome).counter().count();
  }

  @Test
  void aNewPairIsUsedOnceItMatches() throws Exception {
    Issued first = AUTHORITY.server();
    write(first);
    read(Clock.systemUTC());
    assertThat(look()).as("no change").isFalse();

    Issued second = AUTHORITY.server();
    Files.writeString(cert, second.certificatePem());
    assertThat(look()).as("the key of the first").isFalse();
    Files.writeString(key, second.keyPem());
    assertThat(look()).isTrue();
    assertThat(look()).isFalse();
    assertThat(applied).containsExactly(second.certificate().getSerialNumber());
    assertThat(reloads("taken")).isEqualTo(1);
    assertThat(reloads("refused")).as("one that was being written").isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no PEM", "missing", "expired", "another key"})
  void aBrokenPairKeepsTheOldOneAndIsCountedOnce(String broken) throws Exception {
    Issued first = AUTHORITY.server();
    write(first);
    read(Clock.systemUTC());
    switch (broken) {
      case "missing" -> Files.delete(cert);
      case "expired" -> write(AUTHORITY.expiredServer());
      case "another key" -> Files.writeString(key, AUTHORITY.server().keyPem());
      default -> Files.writeString(cert, broken);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(look()).isFalse();
    }
    assertThat(reloads("refused")).isEqualTo(1);

    write(first);
    assertThat(look()).as("as before").isFalse();
    write(AUTHORITY.server());
    assertThat(look()).isTrue();
    assertThat(applied).hasSize(1);
  }

  @Test
  void aChangeRefusedByTheServerIsRetried() throws Exception {
    write(AUTHORITY.server());
    read(Clock.systemUTC());
    write(AUTHORITY.server());
    for (int i = 0; i < 2; i++) {
      assertThat(
              tls.look(
                  identity -> {
                    throw new TlsException("no", null);
                  }))
          .isFalse();
    }
    assertThat(reloads("refused")).isEqualTo(1);
    assertThat(look()).isTrue();
  }

  @Test
  void theGaugeIsTheTimeToTheExpiry() throws Exception {
    Instant now = Instant.parse("2026-11-25T12:00:00Z");
    write(AUTHORITY.serverUntil(now.plus(Duration.ofDays(30))));
    read(Clock.fixed(now, ZoneOffset.UTC));
    assertThat(meters.get("hourglass.http.tls.certificate.expiry").gauge().value())
        .isEqualTo(30 * 86_400);
  }

  @ParameterizedTest
  @CsvSource({"EC, new", "EC, older", "RSA, new", "RSA, older", "Ed25519, new"})
  void keysOfEachAlgorithmAndFormAreAccepted(String algorithm, String form) throws Exception {
    Issued issued = AUTHORITY.server(algorithm);
    write(issued);
    if (form.equals("older")) {
      Files.writeString(key, issued.olderKeyPem());
      assertThat(key).content().startsWith("-----BEGIN " + algorithm + " PRIVATE KEY-----");
    }
    read(Clock.systemUTC());
    assertThat(look()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // file | its content | message behind the path
        "cert | -        | no such file",
        "cert | ''       | no certificate in it, want PEM with -----BEGIN CERTIFICATE-----",
        "cert | key      | no certificate in it, want PEM with -----BEGIN CERTIFICATE-----",
        "cert | damaged  | a certificate in it is damaged",
        "key  | -        | no such file",
        "key  | cert     | no private key in it, want PEM with -----BEGIN PRIVATE KEY-----",
        "key  | another  | not the key of the first certificate of ",
        "key  | RSA      | not the key of the first certificate of ",
        "key  | locked   | the key is encrypted, want it plain",
        "key  | no64     | not in base64 between its lines of PEM",
      })
  void unusableFilesAreNamedWithTheReason(String file, String content, String message)
      throws Exception {
    Issued issued = AUTHORITY.server();
    write(issued);
    Path changed = file.equals("cert") ? cert : key;
    switch (content) {
      case "-" -> Files.delete(changed);
      case "key" -> Files.writeString(changed, issued.keyPem());
      case "cert" -> Files.writeString(changed, issued.certificatePem());
      case "damaged" -> Files.writeString(changed, block("CERTIFICATE", "AAAA"));
      case "another" -> Files.writeString(changed, AUTHORITY.server().keyPem());
      case "RSA" -> Files.writeString(changed, AUTHORITY.server("RSA").keyPem());
      case "locked" -> Files.writeString(changed, block("ENCRYPTED PRIVATE KEY", "AAAA"));
      case "no64" -> Files.writeString(changed, block("PRIVATE KEY", "A"));
      default -> Files.writeString(changed, content);
    }
    assertThatThrownBy(() -> read(Clock.systemUTC()))
        .isInstanceOf(TlsException.class)
        .hasMessageStartingWith(changed + ": " + message);
  }

  private static String block(String label, String base64) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label);
  }

  /** A task that throws is never run again. */
  @Test
  void watchingContinuesAfterAnError() throws Exception {
    write(AUTHORITY.server());
    read(Clock.systemUTC());
    write(AUTHORITY.server());
    tls.lookAndStay(
        identity -> {
          throw new NoClassDefFoundError("gone");
        });
    assertThat(look()).isTrue();
  }

  @Test
  void clientNamesAreAlternativesElseTheCommonName() {
    Issued client =
        AUTHORITY.client(
            "CN=shipper,O=Shop",
            new GeneralName(GeneralName.iPAddress, "192.0.2.1"),
            new GeneralName(GeneralName.uniformResourceIdentifier, "spiffe://shop/ship"),
            new GeneralName(GeneralName.dNSName, "ship.shop.example"),
            new GeneralName(GeneralName.rfc822Name, "ship@shop.example"));
    assertThat(PeerNames.of(client.certificate()))
        .containsExactly("ship.shop.example", "ship@shop.example");
    assertThat(PeerNames.of(AUTHORITY.client("CN=\"a, b\"").certificate())).containsExactly("a, b");
    Issued elsewhere =
        AUTHORITY.client("CN=shipper", new GeneralName(GeneralName.iPAddress, "192.0.2.1"));
    assertThat(PeerNames.of(elsewhere.certificate())).isEmpty();
    assertThat(PeerNames.of(AUTHORITY.client("O=Shop").certificate())).isEmpty();
  }
}
