import { Task, TaskStatus } from '@lit/task';

/** The reader has stopped the question: no failure. */
export class Stopped extends Error {}

/**
 * A Task whose last answer outlives a failure, so that what was shown stays until there is something newer. Its answer
 * may grow.
 */
export class KeptTask extends Task {
  #host;
  #kept;
  #question;
  #keptQuestion = null;

  /** The last error, also while the question is asked again; null once there is an answer. */
  failure = null;

  /** What there is so far of the answer to the present question, also after a stop; null where there is none. */
  partial = null;

  /**
   * @param config as of a Task, without its callbacks; `task` may call `tell` with what there is so far
   * @param {() => string} question of the present view, to know whether the last answer is one to it
   */
  constructor(host, config, question = () => '') {
    let asked = null;
    super(host, {
      ...config,
      task: (args, options) => {
        asked = question();
        this.partial = null;
        return config.task(args, { ...options, tell: (partial) => !options.signal.aborted && this.#grow(partial) });
      },
      onComplete: (value) => this.#become(value, asked),
      onError: (error) => this.#fail(error),
    });
    this.#host = host;
    this.#question = question;
  }

  get value() {
    return this.status === TaskStatus.COMPLETE ? super.value : this.#kept;
  }

  /** Whether the value is an answer to the present question, and not to the one before. */
  get current() {
    return this.value != null && this.#keptQuestion === this.#question();
  }

  get stopped() {
    return this.status === TaskStatus.ERROR && this.error instanceof Stopped;
  }

  /** Ends the question that is under way; its last answer stays. */
  stop() {
    this.abort(new Stopped('stopped'));
  }

  #become(value, question) {
    this.#kept = value;
    this.#keptQuestion = question;
    this.failure = null;
    this.partial = null;
  }

  #grow(partial) {
    this.partial = partial;
    this.#host.requestUpdate();
  }

  #fail(error) {
    const stopped = error instanceof Stopped;
    this.failure = stopped ? null : error;
    if (!stopped) this.partial = null;
  }
}
