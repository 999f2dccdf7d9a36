package hourglass.config.terminal;

import hourglass.command.NewFile;
import hourglass.command.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "diagnose",
    description = {
      "Writes one file for a bug report: versions, settings without secrets, metrics, threads,",
      "and the newest lines of the log of a running server. It needs a key with the scope admin."
    })
final class DiagnoseCommand extends Question {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'hourglass-diagnosis-'yyyyMMdd'T'HHmmss'Z.txt'")
          .withZone(ZoneOffset.UTC);

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description =
          "A file that does not exist yet. Default: hourglass-diagnosis-TIME.txt in this folder.")
  private @Nullable Path file;

  DiagnoseCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void ask(Server server) throws IOException, AskException {
    Path to = file != null ? file : Path.of(NAME.format(terminal.clock().instant()));
    try (Answer answer =
        server.get("/api/v1/diagnosis", new UrlQuery(), null, Server.ANSWER_MILLIS)) {
      NewFile.write(to, out -> answer.body().transferTo(out));
    } catch (FileAlreadyExistsException e) {
      throw new AskException(
          SafeText.line("--to: %s exists; want the name of a new file".formatted(to)));
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw new AskException(
          SafeText.line(
              "--to: %s cannot be written; want a file in a folder of yours".formatted(to)));
    }
    terminal.out().write((to + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
