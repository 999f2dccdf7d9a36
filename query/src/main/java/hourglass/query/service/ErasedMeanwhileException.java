package hourglass.query.service;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;

/** An answer that was not given, as events were erased each time while it was gathered. */
public final class ErasedMeanwhileException extends RefusedException {
  private static final long serialVersionUID = 1L;

  ErasedMeanwhileException() {
    super(
        Refusal.AWAY,
        "events were erased each time that the query read them, and the answer might have contained"
            + " some; try again, or ask for a shorter range",
        null);
  }
}
