package hourglass.config.gate.keys;

import com.typesafe.config.ConfigUtil;
import hourglass.command.NewFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "tls-self-signed",
    description =
        "Makes a certificate that signs itself, for trials: server.pem and server.key, for"
            + " localhost, the loopback addresses and this machine's name, valid for a year. Prints"
            + " the settings that use them.")
final class TlsSelfSignedCommand implements Callable<Integer> {
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "the folder for both files; made if it is not there")
  private Path dir;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "another name or address of the server; may be repeated")
  private List<String> hosts = new ArrayList<>();

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  private TlsSelfSignedCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    for (String host : hosts) {
      if (!SelfSigned.isName(host)) {
        throw new ParameterException(
            spec.commandLine(), "--host: %s, want a host name or an address".formatted(host));
      }
    }
    Path cert = dir.resolve("server.pem").toAbsolutePath().normalize();
    Path key = dir.resolve("server.key").toAbsolutePath().normalize();
    try {
      refuseOld(cert);
      refuseOld(key);
      SelfSigned made = SelfSigned.make(names());
      Files.createDirectories(dir);
      write(key, made.keyPem());
      write(cert, made.certificatePem());
    } catch (FileAlreadyExistsException e) {
      return fail(
          e.getFile() + ": is there already; name another folder, or move the file away first");
    } catch (IOException e) {
      return fail("%s: cannot be written (%s)".formatted(dir, e));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("http.tls.cert = " + ConfigUtil.quoteString(cert.toString()));
    out.println("http.tls.key = " + ConfigUtil.quoteString(key.toString()));
    out.flush();
    say("clients have to trust it: --ca-file " + cert + " (curl: --cacert)");
    return ExitCode.OK;
  }

  private static void write(Path file, String pem) throws IOException {
    NewFile.write(file, out -> out.write(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Refuses to overwrite a file, before the work of making a key. */
  private static void refuseOld(Path file) throws FileAlreadyExistsException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  /** Returns the names for the certificate in their order, without repeats. */
  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>(LOCAL);
    try {
      String machine = InetAddress.getLocalHost().getHostName();
      if (SelfSigned.isName(machine)) {
        names.add(machine);
      }
    } catch (UnknownHostException e) {
      // The name of this machine cannot be resolved, so it is left out.
    }
    names.addAll(hosts);
    return names;
  }

  private int fail(String why) {
    say(why);
    return ExitCode.SOFTWARE;
  }

  private void say(String line) {
    spec.commandLine().getErr().println("hourglass: " + line);
    spec.commandLine().getErr().flush();
  }
}
