/**
 * How a reader likes the page, whatever it shows; kept in this browser. The first of each is what holds without a
 * choice.
 */
const CHOICES = {
  density: ['compact', 'comfortable'],
  chart: ['open', 'folded'],
  side: ['open', 'folded'],
  order: ['desc', 'asc'],
  wrap: ['off', 'on'],
};

const keyOf = (name) => `hourglass.${name}`;

/** Keeps the choices of its host. */
export class Preferences {
  #host;
  #choices = {};

  /** @param {Record<string, string>} first by name what holds without a choice, where that is another one */
  constructor(host, first = {}) {
    this.#host = host;
    for (const [name, allowed] of Object.entries(CHOICES)) this.#choices[name] = read(name, allowed) ?? first[name] ?? allowed[0];
  }

  get(name) {
    return this.#choices[name];
  }

  set(name, choice) {
    this.#choices[name] = choice;
    try {
      localStorage.setItem(keyOf(name), choice);
    } catch {
      // A browser that forbids storage: then it holds until the page is left.
    }
    this.#host.requestUpdate();
  }
}

function read(name, allowed) {
  try {
    const kept = localStorage.getItem(keyOf(name));
    return allowed.includes(kept) ? kept : null;
  } catch {
    return null;
  }
}
