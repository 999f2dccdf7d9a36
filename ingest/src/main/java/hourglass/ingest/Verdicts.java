package hourglass.ingest;

import java.util.List;

/**
 * The verdicts on the items of a request.
 *
 * @param untimed accepted events without a time of their own
 * @param errors the first rejected items, in the order sent
 */
public record Verdicts(int accepted, int rejected, int untimed, List<ItemError> errors) {
  /** One rejected item; its reason names the problem and the allowed values. */
  public record ItemError(int index, String reason) {}

  public Verdicts {
    errors = List.copyOf(errors);
  }
}
