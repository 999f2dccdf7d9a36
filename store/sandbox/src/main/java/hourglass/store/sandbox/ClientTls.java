package hourglass.store.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A key of the cluster, valid for the addresses of all nodes, made by the JDK's keytool. */
record ClientTls(Path keyStore, Path trustStore) {
  /** Guards nothing: the key is made for this folder and lies in it. */
  static final String PASSWORD = "hourglass";

  private static final String ALIAS = "sandbox";

  /** Those of the folder; made if they are not there. */
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
    Path certificate = folder.resolve("server.crt");
    run(
        keytool,
        keyStore,
        folder,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-validity",
        "3650",
        "-dname",
        "CN=hourglass sandbox",
        "-ext",
        "san=ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3");
    run(keytool, keyStore, folder, "-exportcert", "-file", certificate.toString());
    run(keytool, trustStore, folder, "-importcert", "-noprompt", "-file", certificate.toString());
  }

  private static void run(Path keytool, Path store, Path folder, String... words)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(keytool.toString()));
    all.addAll(List.of(words));
    all.addAll(List.of("-alias", ALIAS, "-keystore", store.toString(), "-storetype", "PKCS12"));
    all.addAll(List.of("-storepass", PASSWORD));
    Path log = folder.resolve("keytool.log");
    Process process =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.waitFor() != 0) {
      throw new SandboxException("keytool failed; " + LogTail.of(log, 0));
    }
  }

  /** Its entry in cassandra.yaml. */
  String yaml() {
    return "{enabled: true, optional: false, require_client_auth: false, store_type: PKCS12,"
        + " keystore: "
        + CassandraYaml.quoted(keyStore.toString())
        + ", keystore_password: "
        + PASSWORD
        + "}";
  }
}
