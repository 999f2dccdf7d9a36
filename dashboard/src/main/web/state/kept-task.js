import { Task, TaskStatus } from '@lit/task';

/** A Task whose last answer outlives a failure, so that what was shown stays until there is something newer. */
export class KeptTask extends Task {
  #kept;

  /** The last error, also while the question is asked again; null once there is an answer. */
  failure = null;

  /** @param config as of a Task, without its callbacks */
  constructor(host, config) {
    super(host, { ...config, onComplete: (value) => this.#become(value), onError: (error) => (this.failure = error) });
  }

  get value() {
    return this.status === TaskStatus.COMPLETE ? super.value : this.#kept;
  }

  #become(value) {
    this.#kept = value;
    this.failure = null;
  }
}
