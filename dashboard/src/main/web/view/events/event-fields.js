import { html, nothing } from 'lit';

import { fieldsOfEvent, namedField, needsQuotes } from '../../model/event-fields.js';
import { fieldName } from '../../model/fields.js';
import { canFilter, hasNotValue, hasValue, having, without } from '../../model/filter/field-clauses.js';
import { count } from '../../model/format.js';
import { isGroupId } from '../../model/group-ids.js';
import { brief, kindOf } from '../../model/json-preview.js';
import { localInstant } from '../../model/time/local-time.js';
import '../copy-button.js';
import { bars, columns, link, minus, plus } from '../icons.js';
import './long-text.js';
import { marked } from './marked.js';
import { View } from '../view.js';

/** Rows, and values of a list, that are shown at a time: a payload may be a mebibyte. */
const SHOWN = 100;

/** A list of plain values stands on one line while it is no longer than that. */
const LINE_CHARACTERS = 80;

/** As much of a value as the name of its button says. */
const NAMED_CHARACTERS = 80;

/**
 * The time, type and id of an event and the fields of its payload, a row for each, with what can be done with its value:
 * tells `clause` with what is to be added to the filter, `together` with the clause for all events of an id, `column` and
 * `field` with the name of a field.
 */
export class EventFields extends View {
  static properties = {
    /** An event as the API gives it. */
    event: { attribute: false },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    shown: { state: true },
  };

  #of = null;
  #rows = null;

  constructor() {
    super();
    this.marks = null;
    this.shown = SHOWN;
  }

  willUpdate() {
    if (this.#of === this.event) return;
    this.#of = this.event;
    this.#rows = fieldsOfEvent(this.event);
    this.shown = SHOWN;
  }

  render() {
    const { fields, also } = this.#rows;
    const left = fields.length - this.shown;
    return html`
      <table class="event-fields">
        <thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>
          ${this.#own('time', also.time, html`${this.event.time}${here(this.event.time)}`, copyOf('time', this.event.time))}
          ${this.#own('type', [], marked(this.event.type, 'type', this.marks), this.#ofType(this.event.type))}
          ${this.#own('id', also.id, this.event.id, copyOf('id', this.event.id))}
          ${fields.slice(0, this.shown).map((field) => this.#row(field))}
        </tbody>
      </table>
      ${left > 0 ? html`<button type="button" class="button button-small event-more" @click=${() => (this.shown += SHOWN)}>Show ${count(Math.min(left, SHOWN))} of ${count(left)} more fields</button>` : nothing}
    `;
  }

  /** What every event has. Fields of the payload that say the same are named, so that they can be looked for. */
  #own(name, also, value, tools) {
    const others = also.filter((other) => other !== name);
    return html`<tr class="event-own"><th scope="row">${name}</th><td>${value}${others.length > 0 ? html` <span class="event-also">also ${others.join(', ')}</span>` : nothing}</td><td><span class="event-tools">${tools}</span></td></tr>`;
  }

  #ofType(type) {
    return html`${this.#filters('type', type, hasValue('type', type), hasNotValue('type', type))}${copyOf('type', type)}`;
  }

  #row(field) {
    const { name, value } = field;
    return html`<tr><th scope="row" title=${namedField(field)}>${name}</th><td>${this.#value(field)}</td><td><span class="event-tools">${kindOf(value) === 'array' ? this.#toolsOfList(field) : this.#toolsOf(field)}</span></td></tr>`;
  }

  #value({ path, name, value }) {
    if (kindOf(value) === 'array' && value.length > 0) return html`<event-list .path=${path} .name=${name} .values=${value} .marks=${this.marks}></event-list>`;
    return plain(value, fieldName(path), this.marks);
  }

  #toolsOf(field) {
    const { path, value } = field;
    const what = namedField(field);
    const named = fieldName(path);
    const can = path.length > 0 && canFilter(path, value);
    return html`${can ? this.#filters(what, value, having(path, value), without(path, value)) : nothing}${named ? html`${this.#column(named)}${kindOf(value) === 'object' ? nothing : this.#statistics(named)}` : nothing}${can && isGroupId(path.join('.'), value) ? this.#together(what, value, having(path, value)) : nothing}${copyOf(what, textOf(value))}`;
  }

  #toolsOfList(field) {
    const named = fieldName(field.path);
    return html`${named ? this.#column(named) : nothing}${copyOf(namedField(field), textOf(field.value))}`;
  }

  #filters(what, value, only, not) {
    const text = nameOf(value);
    return html`${this.#button(plus, `Only ${what} ${text}`, 'Only these', 'clause', only)}${this.#button(minus, `Not ${what} ${text}`, 'Not these', 'clause', not)}`;
  }

  #together(what, value, clause) {
    return this.#button(link, `All with ${what} ${nameOf(value)}`, 'All events with this id', 'together', clause);
  }

  #column(name) {
    return this.#button(columns, `Column ${name}`, 'As a column', 'column', name);
  }

  #statistics(name) {
    return this.#button(bars, `Statistics of ${name}`, 'All values and figures', 'field', name);
  }

  #button(icon, label, title, wish, detail) {
    return html`<button type="button" class="value-button" aria-label=${label} title=${title} @click=${() => this.tell(wish, detail)}>${icon}</button>`;
  }
}

/** The plain values of a list, short ones on one line. Tells `clause`. */
export class EventList extends View {
  static properties = {
    path: { attribute: false },
    name: {},
    values: { attribute: false },
    marks: { attribute: false },
    shown: { state: true },
  };

  constructor() {
    super();
    this.shown = SHOWN;
  }

  render() {
    const { values } = this;
    const left = values.length - this.shown;
    const isLine = values.length <= SHOWN && values.reduce((sum, value) => sum + String(value).length + 2, 0) <= LINE_CHARACTERS;
    return html`<ul class="event-list" data-shape=${isLine ? 'line' : 'lines'}>${values.slice(0, this.shown).map((value, i) => this.#item(value, i))}</ul>${left > 0
      ? html`<button type="button" class="button button-small event-more" @click=${() => (this.shown += SHOWN)}>Show ${count(Math.min(left, SHOWN))} of ${count(left)} more</button>`
      : nothing}`;
  }

  #item(value, i) {
    const path = [...this.path, i];
    const text = nameOf(value);
    const tools = canFilter(path, value)
      ? html`<span class="event-tools"><button type="button" class="value-button" aria-label=${`Only ${this.name} with ${text}`} title="Only events with this one" @click=${() => this.tell('clause', having(path, value))}>${plus}</button><button
        type="button" class="value-button" aria-label=${`Not ${this.name} with ${text}`} title="Not events with this one" @click=${() => this.tell('clause', without(path, value))}>${minus}</button></span>`
      : nothing;
    return html`<li>${plain(value, fieldName(this.path), this.marks)}${tools}</li>`;
  }
}

const textOf = (value) => (kindOf(value) === 'array' ? value.map(String).join('\n') : kindOf(value) === 'object' ? '{}' : String(value));

const nameOf = (value) => brief(value).slice(0, NAMED_CHARACTERS);

const copyOf = (what, text) => html`<copy-button small label=${`Copy ${what}`} .text=${text}></copy-button>`;

function plain(value, name, marks) {
  const kind = kindOf(value);
  if (kind === 'string' && !needsQuotes(value)) return html`<long-text .text=${value} .name=${name} .marks=${marks}></long-text>`;
  return html`<span class="event-text json-${kind}">${marked(kind === 'string' ? JSON.stringify(value) : brief(value), name, marks)}</span>`;
}

/** The time by the reader's clock, where that is not UTC. */
function here(time) {
  const text = localInstant(time);
  return text === null ? nothing : html` <span class="event-also">${text}</span>`;
}

customElements.define('event-list', EventList);
customElements.define('event-fields', EventFields);
