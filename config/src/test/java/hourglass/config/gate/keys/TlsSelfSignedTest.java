package hourglass.config.gate.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TlsSelfSignedTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(KeyCommand.class)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void createsAPairAndNeverOverwritesIt() throws Exception {
    Path dir = folder.resolve("tls");
    assertThat(run("tls-self-signed", "--dir=" + dir, "--host=logs.example", "--host=192.0.2.7"))
        .as(err.toString())
        .isZero();
    Path certFile = dir.resolve("server.pem");
    Path keyFile = dir.resolve("server.key");
    assertThat(out)
        .hasToString(
            "http.tls.cert = \"%s\"%nhttp.tls.key = \"%s\"%n".formatted(certFile, keyFile));
    assertThat(Files.getPosixFilePermissions(keyFile))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    try (var files = Files.list(dir)) {
      assertThat(files).containsExactlyInAnyOrder(certFile, keyFile);
    }

    X509Certificate cert =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(certFile)));
    assertThat(cert.getSubjectAlternativeNames().stream().map(each -> (String) each.get(1)))
        .contains("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "logs.example", "192.0.2.7");
    Instant end = cert.getNotAfter().toInstant();
    assertThat(ChronoUnit.DAYS.between(Instant.now(), end)).isBetween(363L, 365L);
    assertThat(isKeyOf(Files.readString(keyFile), cert)).isTrue();

    byte[] key = Files.readAllBytes(keyFile);
    Files.delete(certFile);
    assertThat(run("tls-self-signed", "--dir=" + dir)).isEqualTo(1);
    assertThat(err.toString()).contains("hourglass: " + keyFile + ": is there already");
    assertThat(Files.readAllBytes(keyFile)).isEqualTo(key);
    assertThat(certFile).doesNotExist();
  }

  private static boolean isKeyOf(String pem, X509Certificate cert) throws Exception {
    List<String> lines = pem.lines().toList();
    assertThat(lines.get(0)).isEqualTo("-----BEGIN PRIVATE KEY-----");
    byte[] der = Base64.getDecoder().decode(String.join("", lines.subList(1, lines.size() - 1)));
    Signature signing = Signature.getInstance("SHA256withECDSA");
    signing.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)));
    byte[] signature = signing.sign();
    signing.initVerify(cert);
    return signing.verify(signature);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a,dns:b", "-a", "a..b", "1.2.3.4,ip:5.6.7.8", "a:b"})
  void invalidHostsAreRefused(String host) {
    assertThat(run("tls-self-signed", "--dir=" + folder, "--host=" + host)).isEqualTo(2);
    assertThat(err.toString()).contains("--host: " + host + ", want a host name or an address");
    assertThat(folder).isEmptyDirectory();
  }
}
