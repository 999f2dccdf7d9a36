package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import hourglass.store.TooLargeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says in the words of the store what failed in the driver, and which nodes it was. */
public final class Failures {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /**
   * What the driver begins messages with, {@code [hourglass|control|id: 0xd88466ba, L:... - R:...]
   * }.
   */
  private static final Pattern CHANNEL = Pattern.compile("^\\[\\w+\\|[^]]*] ");

  private Failures() {}

  /** The failure itself, without what stages wrap around it. */
  public static Throwable unwrap(Throwable failure) {
    Throwable inner = failure;
    while (inner instanceof CompletionException && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** A failure as the SPI knows it; what is not the driver's stays as it is. */
  public static RuntimeException of(Throwable failure) {
    Throwable inner = unwrap(failure);
    if (inner instanceof DriverException && isOversized(inner)) {
      return new TooLargeException("Cassandra: " + text(inner));
    }
    if (inner instanceof AllNodesFailedException e) {
      return allNodes(e);
    }
    if (isOverload(inner)) {
      return overloaded(inner);
    }
    boolean drivers =
        inner instanceof DriverException
            || inner instanceof IllegalStateException; // of a session that was closed
    return inner instanceof RuntimeException ours && !drivers
        ? ours
        : new hourglass.store.UnavailableException("Cassandra: " + text(inner), inner);
  }

  /** The same, and where the cluster is unavailable which of its nodes are up. */
  public static RuntimeException of(Throwable failure, CqlSession session) {
    RuntimeException told = of(failure);
    return told instanceof hourglass.store.UnavailableException
        ? new hourglass.store.UnavailableException(
            told.getMessage() + "; " + Nodes.text(session), unwrap(failure))
        : told;
  }

  private static RuntimeException allNodes(AllNodesFailedException e) {
    if (e instanceof NoNodeAvailableException || e.getAllErrors().isEmpty()) {
      return new hourglass.store.UnavailableException("Cassandra: no node can be reached", e);
    }
    boolean overload =
        e.getAllErrors().values().stream().flatMap(List::stream).allMatch(Failures::isOverload);
    return overload
        ? overloaded(e)
        : new hourglass.store.UnavailableException("Cassandra: " + byNode(e), e);
  }

  private static String byNode(AllNodesFailedException e) {
    return e.getAllErrors().entrySet().stream()
        .map(Failures::nodeText)
        .collect(Collectors.joining("; "));
  }

  private static String nodeText(Map.Entry<Node, List<Throwable>> node) {
    return Nodes.name(node.getKey())
        + ": "
        + node.getValue().stream().map(Failures::text).distinct().collect(Collectors.joining(", "));
  }

  /** Nodes say so in words alone. */
  private static boolean isOversized(Throwable failure) {
    return failure instanceof AllNodesFailedException all
        ? !all.getAllErrors().isEmpty()
            && all.getAllErrors().values().stream()
                .flatMap(List::stream)
                .allMatch(Failures::isOversized)
        : String.valueOf(failure.getMessage()).contains("oversized mutation");
  }

  private static boolean isOverload(Throwable failure) {
    return failure instanceof OverloadedException
        || failure instanceof BusyConnectionException
        || failure instanceof RequestThrottlingException;
  }

  private static hourglass.store.OverloadedException overloaded(Throwable failure) {
    return new hourglass.store.OverloadedException("Cassandra: " + text(failure), RETRY_AFTER);
  }

  /**
   * The message with, if one node sent it, that node; and the reason beneath. It is the same
   * whenever the same happens, so that it can be told once.
   */
  public static String text(Throwable failure) {
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
