package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import hourglass.access.Failures;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Translates failures of the driver to exceptions of the SPI, which name the nodes involved. */
public final class DriverFailures {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** Prefix of driver messages: {@code [hourglass|control|id: 0xd88466ba, L:... - R:...] }. */
  private static final Pattern CHANNEL = Pattern.compile("^\\[\\w+\\|[^]]*] ");

  private DriverFailures() {}

  /** Translates a failure. Runtime exceptions other than the driver's stay unchanged. */
  public static RuntimeException of(Throwable failure) {
    Throwable inner = Failures.cause(failure);
    boolean drivers =
        inner instanceof DriverException
            || inner instanceof IllegalStateException; // from a closed session
    if (inner instanceof RuntimeException ours && !drivers) {
      return ours;
    }
    List<Throwable> errors =
        inner instanceof AllNodesFailedException all
            ? all.getAllErrors().values().stream().flatMap(List::stream).toList()
            : List.of(inner);
    if (errors.isEmpty()) {
      return new UnavailableException("Cassandra: no node can be reached", inner);
    }
    if (errors.stream().allMatch(DriverFailures::isOversized)) {
      return new TooLargeException("Cassandra: " + text(inner));
    }
    if (errors.stream().allMatch(DriverFailures::isOverload)) {
      return new OverloadedException("Cassandra: " + text(inner), RETRY_AFTER);
    }
    String text = inner instanceof AllNodesFailedException all ? byNode(all) : text(inner);
    return new UnavailableException("Cassandra: " + text, inner);
  }

  /** Translates a failure, and lists the states of nodes if the cluster is unavailable. */
  public static RuntimeException of(Throwable failure, CqlSession session) {
    RuntimeException translated = of(failure);
    return translated instanceof UnavailableException
        ? new UnavailableException(
            translated.getMessage() + "; " + Nodes.text(session), Failures.cause(failure))
        : translated;
  }

  private static String byNode(AllNodesFailedException e) {
    return e.getAllErrors().entrySet().stream()
        .map(
            node ->
                node.getValue().stream()
                    .map(DriverFailures::text)
                    .distinct()
                    .collect(Collectors.joining(", ", Nodes.name(node.getKey()) + ": ", "")))
        .collect(Collectors.joining("; "));
  }

  /** Whether a mutation was too large, which only the text of the message shows. */
  private static boolean isOversized(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("oversized mutation");
  }

  private static boolean isOverload(Throwable failure) {
    return failure instanceof com.datastax.oss.driver.api.core.servererrors.OverloadedException
        || failure instanceof BusyConnectionException
        || failure instanceof RequestThrottlingException;
  }

  /**
   * Names the node that sent the message, and the cause. Equal failures have equal texts, so that
   * each is logged once.
   */
  private static String text(Throwable failure) {
    String text =
        failure.getMessage() == null
            ? failure.getClass().getSimpleName()
            : CHANNEL.matcher(failure.getMessage()).replaceFirst("");
    if (failure instanceof CoordinatorException e && e.getCoordinator() != null) {
      text = Nodes.name(e.getCoordinator()) + ": " + text;
    }
    Throwable cause = failure.getCause();
    return cause == null || cause.getMessage() == null || text.contains(cause.getMessage())
        ? text
        : text + " (" + cause.getMessage() + ")";
  }
}
