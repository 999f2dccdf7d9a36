package hourglass.load;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs the load command as a shell would. */
public record LoadRunner(int exit, String out, String err) {
  public static LoadRunner load(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        new CommandLine(new LoadCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new LoadRunner(exit, out.toString(), err.toString());
  }

  /** Does not wait for the target to settle. */
  public static LoadRunner load(URI target, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--target", target.toString(), "--settle", "0s"));
    return load(all.toArray(String[]::new));
  }
}
