package hourglass.verify;

import java.util.List;

/** One of the things that a run does side by side. */
interface Job {
  /** As it appears in the progress and in the summary. */
  String name();

  /** Does it, and returns what failed; called once. */
  List<Failure> run(Board board) throws Exception;
}
