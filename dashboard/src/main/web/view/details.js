import { TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { fieldsOf } from '../model/fields.js';
import { writersMissing } from '../model/rows.js';
import { bones, errorCallout } from './callout.js';
import './events-panel.js';
import './fields-panel.js';
import './health-panel.js';
import './live-panel.js';
import './panel-tabs.js';
import './rows-panel.js';
import './sources-panel.js';

/**
 * What is below the chart, one part at a time.
 *
 * @param page what the page knows: its view, its ViewData, the LiveFeed or null, the client, the stack of hits or null, and the rows and types
 *     as their tables and the heat map want them or null
 */
export const details = (page) => html`
  <section class="card panels" aria-label="Details">
    <panel-tabs .show=${page.view.show} .rows=${page.rows?.length ?? null} .events=${page.stack?.total ?? null}></panel-tabs>
    <div id=${`panel-${page.view.show}`} role="tabpanel" aria-labelledby=${`tab-${page.view.show}`}>${PANELS[page.view.show](page)}</div>
  </section>
`;

const PANELS = { events, fields, rows, sources, health };

function events({ view, data, feed, client, query, stack, addressOf, failure }) {
  if (feed) return html`<live-panel .feed=${feed} .version=${{}} .columns=${view.columns} .addressOf=${addressOf}></live-panel>`;
  const total = stack?.total ?? 0;
  const { listed } = data;
  return html`<events-panel .pager=${listed} ?stale=${listed !== data.pager} ?named=${failure !== null} .version=${{}} .order=${view.order} .total=${total}
    .received=${total - (data.totalWhenListed ?? Infinity)} .columns=${view.columns} ?dated=${view.span.isWithinDay === false} ?withYear=${view.span.isWithinYear === false}
    .noun=${view.span.noun} .toMillis=${view.span.toMillis} .addressOf=${addressOf} .client=${client} .view=${view} .query=${query}></events-panel>`;
}

function fields({ view, data, feed, client, query }) {
  return html`<fields-panel .client=${client} .query=${query} .field=${view.field} .known=${fieldsOf(feed?.events ?? data.listed?.events ?? [])}
    .round=${data.round}></fields-panel>`;
}

function rows({ view, data, rows: described, heatRows, rowTypes, stale, failure }) {
  const { rows: task, heat: map } = data;
  const error = task.failure && !failure ? errorCallout(task.failure, () => task.run()) : nothing;
  if (described === null) return task.failure ? html`${error}<p class="foot">Not known</p>` : bones(6);
  if (described.length === 0) return html`<p class="foot">No rows to list: a row exists from the first event of its type and hour on</p>`;
  const heat = {
    rows: heatRows, shown: map.value?.shown, stale: stale(map),
    error: map.status === TaskStatus.ERROR && !failure ? map.error : null, retry: () => map.run(),
  };
  return html`${error}<rows-panel .rows=${described} .heat=${heat} .span=${view.span} .types=${rowTypes} .missing=${writersMissing(task.value)} ?stale=${stale(task)}></rows-panel>`;
}

function sources({ client }) {
  return html`<sources-panel .client=${client}></sources-panel>`;
}

function health({ client }) {
  return html`<health-panel .client=${client}></health-panel>`;
}
