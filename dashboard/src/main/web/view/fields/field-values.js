import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { canAsk, canSay, exists, existsNot, hasNotValue, hasValue } from '../../model/filter/field-clauses.js';
import { count, percent } from '../../model/format.js';
import { brief, kindOf } from '../../model/json-preview.js';
import { WhenBack } from '../../state/when-back.js';
import { minus, plus } from '../icons.js';
import { View } from '../view.js';

/** As many as fit below a name. */
const VALUES = 8;

/**
 * The most frequent values of a field in the view, each with its share and two buttons that filter. Tells `clause`,
 * `column` and `field`.
 */
export class FieldValues extends View {
  static properties = {
    client: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    /** The name of the field. */
    name: {},
    /** Its entry in the answer of /fields: its few values stand for those that are under way. */
    field: { attribute: false },
  };

  #top = new Task(this, {
    args: () => [this.name, JSON.stringify(this.query)],
    task: ([field], { signal }) => this.client.top({ ...this.query, field, n: VALUES }, signal),
  });

  constructor() {
    super();
    new WhenBack(this, this.#top);
  }

  render() {
    const { name } = this;
    const told = this.#top.value ?? { values: this.field.values ?? [], events: this.field.events, exact: this.field.values_exact };
    return html`
      ${this.#top.render({ error: (error) => html`<p class="wrong">${error.title}</p>` })}
      <ul class="value-list">${told.values.map((value) => this.#value(value, told))}</ul>
      ${told.values.length === 0 && this.#top.value ? html`<p class="hint">No values to count</p>` : nothing}
      <p class="field-tools">
        ${canAsk(name) ? html`
          ${this.#button('Exists', 'clause', () => exists(name), `Only events that have ${name}`)}
          ${this.#button('Missing', 'clause', () => existsNot(name), `Only events without ${name}`)}` : nothing}
        ${this.#button('Statistics', 'field', () => name, `All values and figures of ${name}`)}
      </p>
    `;
  }

  #button(text, event, detail, title) {
    return html`<button type="button" class="button button-small" title=${title} @click=${() => this.tell(event, detail())}>${text}</button>`;
  }

  #value({ value, count: events }, { events: all, exact }) {
    const about = exact ? '' : 'about ';
    const share = all > 0 ? Math.min(1, events / all) : 0;
    const text = kindOf(value) === 'string' ? value : brief(value);
    return html`
      <li class="value-item">
        <span class="value-bar" .style=${`width:${share * 100}%`}></span>
        <code class="cut json-${kindOf(value)}" title=${`${text}: ${about}${count(events)}`}>${text === '' ? '""' : text}</code>
        <span class="value-share" title=${`${about}${count(events)} events`}>${exact ? '' : '~'}${percent(share)}</span>
        ${canSay(this.name, value) ? html`
          <button type="button" class="value-button" aria-label=${`Only ${text}`} title="Only these" @click=${() => this.tell('clause', hasValue(this.name, value))}>${plus}</button>
          <button type="button" class="value-button" aria-label=${`Not ${text}`} title="Not these" @click=${() => this.tell('clause', hasNotValue(this.name, value))}>${minus}</button>` : nothing}
      </li>
    `;
  }
}

customElements.define('field-values', FieldValues);
