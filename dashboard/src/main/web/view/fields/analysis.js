import { html } from 'lit';

import { fieldsOf } from '../../model/fields.js';
import './compare-panel.js';
import './fields-panel.js';

/** Figures of the view beside its list: loaded when one of them is first shown. */

export const fields = ({ view, data, feed, client, query, fields: listed }) =>
  html`<fields-panel .client=${client} .query=${query} .field=${view.field} .answer=${feed ? null : listed.value} ?stale=${listed.stale} .failure=${listed.failure ?? data.hits.failure} ?live=${feed !== null} .columns=${view.columns} .known=${fieldsOf(feed?.events ?? data.listed?.events ?? [])} .round=${data.round}></fields-panel>`;

export const compare = ({ data, client, query }) => html`<compare-panel .client=${client} .query=${query} .round=${data.round}></compare-panel>`;
