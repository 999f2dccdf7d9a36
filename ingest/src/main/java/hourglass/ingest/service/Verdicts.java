package hourglass.ingest.service;

import java.util.List;

/**
 * The verdicts on the items of a request.
 *
 * @param notAllowed rejected events of a type that the sender may not push
 * @param untimed accepted events without a time of their own
 * @param errors the first rejected items, in the order sent
 */
public record Verdicts(
    int accepted, int rejected, int notAllowed, int untimed, List<ItemError> errors) {
  /** One rejected item, whose reason names the problem and the allowed values. */
  public record ItemError(int index, String reason) {}

  public Verdicts(int accepted, int rejected, int untimed, List<ItemError> errors) {
    this(accepted, rejected, 0, untimed, errors);
  }

  /** Returns whether the sender may store no event of the request, whatever the events contain. */
  public boolean isForbidden() {
    return notAllowed > 0 && notAllowed == rejected && accepted == 0;
  }

  public Verdicts {
    errors = List.copyOf(errors);
  }
}
