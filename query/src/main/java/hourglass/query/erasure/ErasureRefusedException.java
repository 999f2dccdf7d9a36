package hourglass.query.erasure;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;

/** An erasure that was not begun; the message says why and what would help. */
public final class ErasureRefusedException extends RefusedException {
  private static final long serialVersionUID = 1L;

  ErasureRefusedException(Refusal refusal, String message) {
    super(refusal, message, null);
  }
}
