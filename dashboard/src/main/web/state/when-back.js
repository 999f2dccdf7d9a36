import { TaskStatus } from '@lit/task';

/** Statuses of what failed: of a Task, and in words. */
const FAILED = new Set([TaskStatus.ERROR, 'error']);

/** Asks again what its host failed to get, when the host's client tells that the server is back. */
export class WhenBack {
  #host;
  #tasks;
  #client = null;
  #onBack = () => this.#tasks.filter(({ status }) => FAILED.has(status)).forEach((task) => task.run());

  /**
   * @param host has a Client as `client`
   * @param {{status: unknown, run: () => void}[]} tasks Tasks, or what has a status like theirs
   */
  constructor(host, ...tasks) {
    this.#host = host;
    this.#tasks = tasks;
    host.addController(this);
  }

  hostConnected() {
    this.#follow(this.#host.client ?? null);
  }

  hostUpdated() {
    this.#follow(this.#host.client ?? null);
  }

  hostDisconnected() {
    this.#follow(null);
  }

  #follow(client) {
    if (client === this.#client) return;
    this.#client?.removeEventListener('back', this.#onBack);
    client?.addEventListener('back', this.#onBack);
    this.#client = client;
  }
}
