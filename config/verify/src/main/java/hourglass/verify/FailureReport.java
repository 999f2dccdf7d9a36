package hourglass.verify;

import java.util.List;

/**
 * A failure, described for a person who has to fix it.
 *
 * @param name a test, {@code CLASS#METHOD(ARGUMENTS)}, or a job
 * @param reason the first lines of its message or output
 * @param repeat the command that repeats it alone
 */
record FailureReport(String name, List<String> reason, String repeat) {}
