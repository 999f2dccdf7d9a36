import { TaskStatus } from '@lit/task';

/** Runs the tasks of its host again that failed, when the host's client tells that the server is back. */
export class WhenBack {
  #host;
  #tasks;
  #client = null;
  #onBack = () => this.#tasks.filter(({ status }) => status === TaskStatus.ERROR).forEach((task) => task.run());

  /** @param host has a Client as `client` */
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
