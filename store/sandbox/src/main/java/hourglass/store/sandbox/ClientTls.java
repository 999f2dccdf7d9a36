package hourglass.store.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A key of the cluster, valid for the addresses of all nodes, made by the JDK's keytool. */
record ClientTls(Path keyStore, Path trustStore) {
  /** Protects nothing: the key is made for this folder and lies in it. */
  static final String PASSWORD = "hourglass";

  static ClientTls in(Path folder, Path javaHome) throws InterruptedException {
    ClientTls tls = new ClientTls(folder.resolve("server.p12"), folder.resolve("trust.p12"));
    if (!Files.exists(tls.trustStore)) {
      try {
        Files.deleteIfExists(tls.keyStore);
        tls.make(javaHome.resolve("bin/keytool"), folder);
      } catch (IOException e) {
        throw new SandboxException("keytool of " + javaHome + " cannot be run", e);
      }
    }
    return tls;
  }

  private void make(Path keytool, Path folder) throws IOException, InterruptedException {
    String certificate = folder.resolve("server.crt").toString();
    String addresses = "san=ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3";
    List<String> key =
        List.of("-genkeypair", "-keyalg", "EC", "-validity", "3650", "-ext", addresses);
    run(keytool, keyStore, folder, key, "-dname", "CN=hourglass sandbox");
    run(keytool, keyStore, folder, List.of("-exportcert"), "-file", certificate);
    run(keytool, trustStore, folder, List.of("-importcert", "-noprompt"), "-file", certificate);
  }

  private static void run(
      Path keytool, Path store, Path folder, List<String> words, String option, String value)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(keytool.toString()));
    all.addAll(words);
    all.addAll(List.of(option, value, "-alias", "sandbox", "-storetype", "PKCS12"));
    all.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    JavaCommand.run("keytool", new ProcessBuilder(all), folder);
  }

  String yaml() {
    return "{enabled: true, optional: false, require_client_auth: false, store_type: PKCS12, keystore: %s, keystore_password: %s}"
        .formatted(JavaCommand.quoted(keyStore.toString()), PASSWORD);
  }
}
