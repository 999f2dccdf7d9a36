import { html, nothing } from 'lit';

import { fieldsOf } from '../model/fields.js';
import { wallSpan } from '../model/time/zone.js';
import { EVENT_PANELS } from '../state/address.js';
import { bones, partError } from './callout.js';
import './events/events-bar.js';
import './events/events-panel.js';
import './events/live-panel.js';
import './events/zero-results.js';
import { panelTabs } from './panel-tabs.js';

/**
 * What is below the chart: the events of the view, its fields, or how they differ from others.
 *
 * @param page what the page knows: its view, its ViewData, the LiveFeed or null, the client, the number of events or 0, the density
 */
export const details = (page) => html`
  <section class="card panels" aria-label="Details">
    <div class="panel-head">
      ${panelTabs(EVENT_PANELS, page.view.show)}
      ${page.view.show === 'events' && !page.feed ? eventsBar(page) : nothing}
    </div>
    <div id=${`panel-${page.view.show}`} role="tabpanel" aria-labelledby=${`tab-${page.view.show}`}>${PANELS[page.view.show](page)}</div>
  </section>
`;

const PANELS = { events, fields: (page) => analysis('fields', page), compare: (page) => analysis('compare', page) };

function eventsBar({ view, data, client, query, total, density, wrap }) {
  return html`<events-bar .pager=${data.listed} .version=${{}} .density=${density} .total=${total} .received=${data.received}
    .wrap=${wrap} .known=${[...fieldsOf(data.listed?.events ?? []).keys()]} .client=${client} .view=${view} .query=${query}></events-bar>`;
}

function events({ marks, view, data, feed, total, addressOf, failure, density, wrap }) {
  if (feed) return html`<live-panel .feed=${feed} .version=${{}} .columns=${view.columns} .addressOf=${addressOf} .marks=${marks} .density=${density} ?wrap=${wrap}></live-panel>`;
  const { listed } = data;
  return html`<events-panel .pager=${listed} ?stale=${listed !== data.pager} ?named=${failure !== null} .version=${{}} .order=${view.order} .total=${total}
    .columns=${view.columns} .density=${density} ?wrap=${wrap} ?dated=${wallSpan(view.span).isWithinDay === false} ?withYear=${wallSpan(view.span).isWithinYear === false}
    .noun=${view.span.noun} .toMillis=${view.span.toMillis} .addressOf=${addressOf} .marks=${marks}></events-panel>`;
}

/** @param {'fields' | 'compare'} what of view/analysis.js, which is loaded when it is first shown */
function analysis(what, page) {
  const { module, error } = page.analysis;
  if (error) return partError(error, () => page.analysis.retry());
  return module ? module[what](page) : bones(6);
}
