import { TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { writersMissing } from '../../model/system/rows.js';
import { SYSTEM_PANELS } from '../../state/address.js';
import './about-line.js';
import { notAllowed } from '../access/not-allowed.js';
import { bones, partError } from '../callout.js';
import './health-panel.js';
import { panelTabs } from '../panel-tabs.js';
import './row-types.js';
import './rows-panel.js';
import './sources-panel.js';

/**
 * How the store and the process do: the rows of the view, what the planner makes of them, sources and health.
 *
 * @param page what the page knows: its view, its ViewData, the client, what the key lacks, the rows and types as their tables and the heat map want them or null
 */
export const systemPage = (page) => html`
  <section class="card panels" aria-label="Details">
    <div class="panel-head">${panelTabs(SYSTEM_PANELS, page.view.show)}<about-line .client=${page.client} .lacks=${page.access.metrics}></about-line></div>
    <div id=${`panel-${page.view.show}`} role="tabpanel" aria-labelledby=${`tab-${page.view.show}`}>${PANELS[page.view.show](page)}</div>
  </section>
`;

const PANELS = { rows, planner, sources, health };

function rows(page) {
  const { view, data, heatRows, stale, failure } = page;
  const { rows: task, heat: map } = data;
  return withRows(page, () => {
    const heat = {
      rows: heatRows, shown: map.value?.shown, stale: stale(map),
      error: map.status === TaskStatus.ERROR && !failure ? map.error : null, retry: () => map.run(),
    };
    return html`<rows-panel .rows=${page.rows} .heat=${heat} .span=${view.span} .missing=${writersMissing(task.value)} ?stale=${stale(task)}></rows-panel>`;
  });
}

function planner(page) {
  const { data, rowTypes, stale } = page;
  return withRows(page, () => html`<row-types .types=${rowTypes} class=${stale(data.rows) ? 'stale' : ''}></row-types>`);
}

function withRows({ data: { rows: task }, rows: described, failure, access }, show) {
  if (access.allTypes) return notAllowed(access.allTypes, 'Rows');
  const error = task.failure && !failure ? partError(task.failure, () => task.run()) : nothing;
  if (described === null) return task.failure ? html`${error}<p class="foot">Not known</p>` : bones(6);
  if (described.length === 0) return html`<p class="foot">No rows to list: a row exists from the first event of its type and hour on</p>`;
  return html`${error}${show()}`;
}

function sources({ client, access }) {
  if (access.metrics) return notAllowed(access.metrics, 'Sources');
  return html`<sources-panel .client=${client}></sources-panel>`;
}

function health({ client, access }) {
  return html`<health-panel .client=${client} .access=${access}></health-panel>`;
}
