/**
 * Reads server-sent events from text as it comes (WHATWG HTML, section 9.2). The browser's own reader forgets its
 * position when an answer is refused, as by a server that stops, and cannot be told one to begin at.
 */
export class SseParser {
  #rest = '';
  #data = [];
  #event = '';
  #id = null;

  /** The id of the last message that is whole, comments with an id included; null before the first. */
  lastId = null;

  /**
   * @param {string} text the next piece; it may end anywhere
   * @returns {{event: string, data: string, id: string | null}[]} the messages that it makes whole
   */
  push(text) {
    const messages = [];
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line.endsWith('\r') ? line.slice(0, -1) : line, messages);
    return messages;
  }

  /** A connection ended: half a message is sent again on the next one. */
  reset() {
    this.#rest = '';
    this.#clear();
    this.#id = this.lastId;
  }

  #line(line, messages) {
    if (line === '') {
      this.lastId = this.#id;
      if (this.#data.length > 0) messages.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id });
      this.#clear();
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }

  #clear() {
    this.#data = [];
    this.#event = '';
  }
}
