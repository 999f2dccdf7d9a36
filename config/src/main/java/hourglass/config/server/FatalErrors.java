package hourglass.config.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process on errors after which it cannot be trusted, so that a supervisor starts it anew.
 * The JVM does the same without heap (flags of the start script). This covers errors that libraries
 * throw, such as the end of direct memory.
 */
final class FatalErrors {
  private static final int EXIT_CODE = 70; // EX_SOFTWARE of sysexits.h
  private static final Logger logger = LoggerFactory.getLogger(FatalErrors.class);

  private FatalErrors() {}

  /** Logs an error that is not fatal. */
  static void orLog(Throwable error) {
    haltIfFatal(error);
    logger.error("not foreseen", error);
  }

  static void haltIfFatal(Throwable error) {
    if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
      logger.error("cannot go on, ending the process", error);
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
