import { Task, TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { canSay, hasNotValue, hasValue } from '../../model/filter/field-clauses.js';
import { canRefer } from '../../model/filter/field-reference.js';
import { hasNumbers, havingField, topNotes } from '../../model/fields.js';
import { count, counted, figure, percent } from '../../model/format.js';
import { brief, kindOf } from '../../model/json-preview.js';
import { markOf } from '../../model/type-colours.js';
import { WhenBack } from '../../state/when-back.js';
import { bones, partError } from '../callout.js';
import './field-histogram.js';
import './fields-table.js';
import { left } from '../icons.js';
import { View } from '../view.js';

/** As many values as are seen at a glance. */
const VALUES = 20;

const FIGURES = ['min', 'mean', 'p50', 'p90', 'p99', 'p99.9', 'max'];

/**
 * The fields of the view side by side, or the values of one: the most frequent ones and, of numbers, how they are
 * spread. Tells `field`, `clause` and `fields-again`.
 */
export class FieldsPanel extends View {
  static properties = {
    client: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    /** The name of the field, or empty for all. */
    field: {},
    /** The answer of /fields, or null; whether it is of an older question; why there is none. */
    answer: { attribute: false },
    stale: { type: Boolean },
    failure: { attribute: false },
    /** Whether the view is live, of which only the values of one field are known. */
    live: { type: Boolean },
    columns: { attribute: false },
    /** Fields to choose from, by name, with their paths: from fieldsOf. */
    known: { attribute: false },
    /** Counts the reloads of the page. */
    round: { type: Number },
  };

  #top = new Task(this, {
    args: () => [this.field, JSON.stringify(this.query), this.round],
    task: ([field], { signal }) => (field ? this.client.top({ ...this.query, field, n: VALUES }, signal) : null),
  });

  /** Asked where there are numbers: each question reads all events of the view. */
  #stats = new Task(this, {
    args: () => [this.#numeric() && this.field, JSON.stringify(this.query), this.round],
    task: ([field], { signal }) => (field ? this.client.stats({ ...this.query, field, by: 'type' }, signal) : null),
  });

  /** Of all types together: quantiles do not add up. */
  #all = new Task(this, {
    args: () => [this.#numeric() && this.field, JSON.stringify(this.query), this.round],
    task: ([field], { signal }) => (field ? this.client.stats({ ...this.query, field }, signal).then(({ series }) => series[0] ?? null) : null),
  });

  constructor() {
    super();
    new WhenBack(this, this.#top, this.#stats, this.#all);
  }

  render() {
    if (!this.field) return this.live ? html`${this.#chooser()}<p class="foot">Events that arrive are not looked through as a whole. Choose a field to see its values in this hour</p>` : this.#overview();
    return html`
      ${this.#chooser()}
      ${this.#numeric() ? this.#histogram() : nothing}${this.#values()}${this.#numeric() ? this.#distribution() : nothing}
    `;
  }

  #overview() {
    if (this.answer) return html`<fields-table .answer=${this.answer} ?stale=${this.stale || this.failure !== null} .columns=${this.columns}></fields-table>`;
    return this.failure ? partError(this.failure, () => this.tell('fields-again')) : bones(6);
  }

  #numeric() {
    return this.#top.status === TaskStatus.COMPLETE && this.#top.value !== null && hasNumbers(this.#top.value);
  }

  #chooser() {
    return html`
      <form class="panel-bar field-chooser" @submit=${this.#onSubmit}>
        ${this.live ? nothing : html`<button type="button" class="button button-small" @click=${() => this.tell('field', '')}>${left}<span>All fields</span></button>`}
        <label>Field <input name="field" list="known-fields" placeholder="data.status" required pattern="data\\..+" title="a path into the payload such as data.ms"
          spellcheck="false" autocomplete="off" .value=${this.field} /></label>
        <datalist id="known-fields">${[...this.known.keys()].map((name) => html`<option value=${name}></option>`)}</datalist>
        <button type="submit" class="button button-small">Show</button>
      </form>
    `;
  }

  #onSubmit(event) {
    event.preventDefault();
    this.tell('field', event.target.elements.field.value.trim());
  }

  #values() {
    return this.#top.render({
      pending: () => bones(6),
      error: (error) => partError(error, () => this.#top.run()),
      complete: (top) => (top === null ? nothing : this.#table(top)),
    });
  }

  #table(top) {
    if (top.values.length === 0) return html`<p class="foot">No event of the view has a value there</p>`;
    return html`
      ${this.#facts(top)}
      <div class="scroller" role="region" aria-label=${`Most frequent values of ${this.field}`} tabindex="0">
        <table class="table rows field-values">
          <thead><tr><th scope="col">Value</th><th scope="col" class="number">Events</th><th scope="col">Share</th><th scope="col"><span class="visually-hidden">Filter</span></th></tr></thead>
          <tbody>${top.values.map((value) => this.#value(value, top))}</tbody>
        </table>
      </div>
      <p class="foot">${topNotes(top).join('; ')}</p>
    `;
  }

  /** In how many events it is, and with how many values. */
  #facts(top) {
    const having = havingField(top);
    const distinct = top.exact ? counted(top.distinct, 'different value') : 'more different values than can be kept apart';
    return html`<p class="field-facts"><b>${this.field}</b> in ${count(having)} of ${counted(top.events, 'event')} (${percent(top.events === 0 ? 0 : having / top.events)}), ${distinct}</p>`;
  }

  #value({ value, count: events, error_max: errorMax }, top) {
    const share = events / havingField(top);
    return html`
      <tr>
        <th scope="row"><code class="field-value cut json-${kindOf(value)}" title=${brief(value)}>${kindOf(value) === 'string' ? JSON.stringify(value) : brief(value)}</code></th>
        <td class="number">${errorMax > 0 ? 'at least ' : ''}${count(events)}</td>
        <td><span class="fill"><span class="fill-bar"><span .style=${`width:${share * 100}%`}></span></span><span class="fill-text">${percent(share)}</span></span></td>
        <td>${canSay(this.field, value) ? this.#filters(value) : nothing}</td>
      </tr>
    `;
  }

  #filters(value) {
    return html`
      <button type="button" class="button button-small" @click=${() => this.tell('clause', hasValue(this.field, value))}>Only these</button>
      <button type="button" class="button button-small" @click=${() => this.tell('clause', hasNotValue(this.field, value))}>Not these</button>
    `;
  }

  #histogram() {
    return this.#all.render({
      pending: () => bones(4),
      error: (error) => partError(error, () => this.#all.run()),
      complete: (figures) => (figures?.count > 0 && canRefer(this.field) ? html`<field-histogram .client=${this.client} .query=${this.query} .field=${this.field} .top=${this.#top.value} .figures=${figures}></field-histogram>` : nothing),
    });
  }

  #distribution() {
    return this.#stats.render({
      pending: () => bones(3),
      error: (error) => partError(error, () => this.#stats.run()),
      complete: (stats) => (stats === null ? nothing : this.#figures(stats)),
    });
  }

  #figures({ series, quantile_error_max: error }) {
    const counted = series.filter((s) => s.count > 0);
    return html`
      <div class="scroller" role="region" aria-label=${`Numbers in ${this.field} by type`} tabindex="0">
        <table class="table rows field-numbers">
          <thead><tr><th scope="col">Type</th><th scope="col" class="number">Numbers</th>${FIGURES.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
          <tbody>${counted.map((s) => html`
            <tr>
              <th scope="row"><span class="row-type cut"><span class="swatch" .style=${markOf(s.type)}></span>${s.type}</span></th>
              <td class="number">${count(s.count)}</td>${FIGURES.map((name) => html`<td class="number">${figure(s[name])}</td>`)}
            </tr>`)}</tbody>
        </table>
      </div>
      <p class="foot">p90: nine of ten numbers are no larger${error > 0 ? html`; p50 to p99.9 are right to within ${figure(error * 100)}%` : nothing}</p>
    `;
  }
}

customElements.define('fields-panel', FieldsPanel);
