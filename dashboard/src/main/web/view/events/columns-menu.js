import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { dropDown } from '../drop-down.js';
import { close, columns as icon, down, up } from '../icons.js';
import { View } from '../view.js';

/** Which columns there are, in which order, and whether lines wrap. Tells `column`, `columns`, `columns-moved` and `prefer`. */
export class ColumnsMenu extends View {
  static properties = {
    columns: { attribute: false },
    /** Names of fields that could have one. */
    known: { attribute: false },
    wrap: { type: Boolean },
  };

  render() {
    const { columns } = this;
    return dropDown({
      name: 'columns',
      entries: ['input[name="field"]'],
      kind: 'button-small',
      label: html`${icon}<span class="wide-only">Columns</span>`,
      content: html`
        <label class="check"><input type="checkbox" .checked=${this.wrap} @change=${(e) => this.tell('prefer', { wrap: e.target.checked ? 'on' : 'off' })} /> Wrap long lines</label>
        ${columns.length === 0 ? html`<p class="hint">Time, type and all fields on one line. Fields chosen here get a column each.</p>` : html`<ol class="column-list">${columns.map((name, i) => this.#column(name, i))}</ol>`}
        <form class="column-add" @submit=${this.#onAdd}>
          <input name="field" list="columns-known" required aria-label="Field" placeholder="A field, such as status" spellcheck="false" autocomplete="off" />
          <datalist id="columns-known">${this.known.filter((name) => !columns.includes(name)).map((name) => html`<option value=${shortName(name)}></option>`)}</datalist>
          <button type="submit" class="button button-small">Add</button>
        </form>
      `,
    });
  }

  #column(name, i) {
    const last = this.columns.length - 1;
    const title = shortName(name);
    return html`
      <li><span class="column-title cut" title=${name}>${title}</span>
        <button type="button" class="button button-bare" aria-label=${`Move ${title} left`} title="Move left" ?disabled=${i === 0} @click=${() => this.#move(i, i - 1)}>${up}</button>
        <button type="button" class="button button-bare" aria-label=${`Move ${title} right`} title="Move right" ?disabled=${i === last} @click=${() => this.#move(i, i + 1)}>${down}</button>
        <button type="button" class="button button-bare" aria-label=${`Remove ${title}`} title="Remove" @click=${() => this.tell('columns', this.columns.toSpliced(i, 1))}>${close}</button></li>
    `;
  }

  #move(from, to) {
    this.tell('columns-moved', this.columns.toSpliced(from, 1).toSpliced(to, 0, this.columns[from]));
  }

  #onAdd(event) {
    event.preventDefault();
    const { field } = event.target.elements;
    const name = field.value.trim().replace(/^(data\.)?/, 'data.');
    field.value = '';
    if (name !== 'data.') this.tell('column', name);
  }
}

customElements.define('columns-menu', ColumnsMenu);
