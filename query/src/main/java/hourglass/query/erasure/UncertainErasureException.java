package hourglass.query.erasure;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;
import hourglass.bucketing.TimeUuid;

/** An erasure of which the store did not say whether it has begun. The message names it. */
public final class UncertainErasureException extends RefusedException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for a refusal of the store. */
  public UncertainErasureException(TimeUuid id, Refusal refusal, Throwable cause) {
    super(
        refusal,
        "the erasure %s may have begun (%s); the list of erasures has it if so, else want a new dry run"
            .formatted(id, Refusal.message(cause)),
        cause);
  }
}
