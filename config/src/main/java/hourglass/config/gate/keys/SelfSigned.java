package hourglass.config.gate.keys;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A self-signed certificate and its private key, as PEM.
 *
 * <p>The JDK makes certificates only through its program keytool, which every runtime contains. A
 * library that makes them would be larger than all of Hourglass.
 */
record SelfSigned(String certificatePem, String keyPem) {
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]*)(\\.[A-Za-z0-9][A-Za-z0-9-]*)*");

  private static final String ALIAS = "hourglass";
  private static final String PASSWORD = "HOURGLASS_STORE_PASSWORD";
  private static final int PASSWORD_BYTES = 16;
  private static final int DAYS = 365;
  private static final int LINE_CHARS = 64;

  /** Returns whether a text is a host name or an address that a certificate may contain. */
  static boolean isName(String text) {
    return isAddress(text) || NAME.matcher(text).matches();
  }

  private static boolean isAddress(String text) {
    return NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text);
  }

  /** Makes a certificate for the names of a server. The first name is the subject. */
  static SelfSigned make(Collection<String> names) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("hourglass-key"); // only its owner may enter it
    Path store = folder.resolve("store.p12");
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    try {
      runKeytool(store, password, names);
      return read(store, password.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException("keytool's file cannot be read", e);
    } finally {
      Files.deleteIfExists(store);
      Files.delete(folder);
    }
  }

  private static void runKeytool(Path store, String password, Collection<String> names)
      throws IOException, InterruptedException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String alternatives =
        names.stream()
            .map(name -> (isAddress(name) ? "ip:" : "dns:") + name)
            .collect(Collectors.joining(","));
    List<String> command =
        List.of(
            keytool,
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-sigalg",
            "SHA256withECDSA",
            "-dname",
            "CN=" + names.iterator().next(),
            "-ext",
            "san=" + alternatives,
            "-ext",
            "ku:critical=digitalSignature",
            "-ext",
            "eku=serverAuth",
            "-startdate",
            "-1H", // for a client whose clock is behind
            "-validity",
            String.valueOf(DAYS),
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass:env",
            PASSWORD);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD, password);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(said.strip());
    }
  }

  private static SelfSigned read(Path store, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    return new SelfSigned(
        pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
        pem("PRIVATE KEY", keys.getKey(ALIAS, password).getEncoded()));
  }

  private static String pem(String label, byte[] der) {
    String lines = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label);
  }
}
