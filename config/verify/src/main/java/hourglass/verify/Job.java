package hourglass.verify;

import java.util.List;

/** One of the jobs that a run executes in parallel. */
interface Job {
  /** Returns the name of the job in the progress and in the summary. */
  String name();

  /** Runs the job, and returns its failures. Called once. */
  List<FailureReport> run(Board board) throws Exception;
}
