package hourglass.verify;

import java.util.List;

/**
 * What failed, for someone who wants to mend it.
 *
 * @param name a test, {@code CLASS#METHOD(ARGUMENTS)}, or a job
 * @param reason the first lines of what it said
 * @param repeat the command that does it alone
 */
record Failure(String name, List<String> reason, String repeat) {}
