import { accessible, eventually, visit } from './browser.mjs';

/** Views that are looked at by axe and kept as pictures: name, address, window, theme or both, what to do first. */
export const VIEWS = (hour, type) => {
  const typed = `type=${encodeURIComponent(type)}`;
  const unfold = async (page) => {
    await page.locator('.event .event-row').nth(1).click();
    await page.locator('.detail').waitFor();
  };
  const asJson = async (page) => {
    await unfold(page);
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
  };
  const openRange = (page) => page.locator('[data-name="range"] > summary').click();
  const openLink = async (page) => {
    await unfold(page);
    await visit(page, await page.locator('.event copy-button[label="Copy link"]').evaluate((button) => button.text()));
    await page.locator('event-card .detail').waitFor();
  };
  const toPanels = (page) => page.locator('.panels').evaluate((panels) => panels.scrollIntoView());
  const heat = async (page) => {
    await toPanels(page);
    await page.locator('.heat-plot').focus();
    await page.keyboard.press('ArrowRight');
    for (let at = 23; at > Number(hour.slice(11)); at--) await page.keyboard.press('ArrowLeft');
  };
  const openField = async (page) => {
    await page.locator('[data-field="data.level"]').click();
    await page.locator('field-values code').first().waitFor();
  };
  const propose = async (page) => {
    await page.getByRole('combobox', { name: 'Filter' }).pressSequentially('status:500 pa');
    await page.keyboard.press('ArrowDown');
  };
  const toFigures = async (page) => {
    await page.locator('.compared-value, .histogram-mark').first().waitFor();
    await toPanels(page);
  };
  const compare = `?hour=${hour}&show=compare&q=${encodeURIComponent('status>=500')}`;
  const spread = `?hour=${hour}&show=fields&field=data.ms`;
  const q = encodeURIComponent('status>=400 path:/*');
  const desk = { width: 1440, height: 1000 };
  const phone = { width: 390, height: 844 };
  const tablet = { width: 768, height: 1024 };
  const small = { width: 1024, height: 768 };
  const large = { width: 1920, height: 1080 };
  return [
    { name: 'events', at: `?hour=${hour}`, window: desk, theme: 'both', first: unfold },
    { name: 'event-json', at: `?hour=${hour}`, window: desk, theme: 'both', first: asJson },
    { name: 'rows', at: `?hour=${hour}&show=rows`, window: desk, theme: 'both' },
    { name: 'sources-light', at: `?hour=${hour}&show=sources`, window: tablet, theme: 'light', first: toPanels },
    { name: 'health', at: `?hour=${hour}&show=health`, window: small, theme: 'both', first: toPanels },
    { name: 'phone-health', at: `?hour=${hour}&show=health`, window: phone, theme: 'light', first: toPanels },
    { name: 'heat', at: `?hour=${hour}&show=rows`, window: desk, theme: 'both', first: heat },
    { name: 'heat-phone', at: `?hour=${hour}&show=rows`, window: phone, theme: 'light', first: heat },
    { name: 'one-type', at: `?hour=${hour}&${typed}&order=asc`, window: small, theme: 'light' },
    { name: 'range-dark', at: `?from=${hour}:05:00Z&to=${hour}:15:00Z&column=data.path&column=data.status`, window: desk, theme: 'dark', first: openRange },
    { name: 'filter-light', at: `?hour=${hour}&q=${q}`, window: desk, theme: 'light', first: unfold },
    { name: 'filter-phone', at: `?hour=${hour}&q=${q}`, window: phone, theme: 'light', first: unfold },
    { name: 'refused-dark', at: `?hour=${hour}&q=status%3E%3D400+ms%3E500ms`, window: desk, theme: 'dark', first: (page) => page.locator('[data-name="search-help"] > summary').click() },
    { name: 'proposals-light', at: `?hour=${hour}`, window: desk, theme: 'light', first: propose },
    { name: 'proposals-phone', at: `?hour=${hour}`, window: phone, theme: 'dark', first: propose },
    { name: 'field-dark', at: `?hour=${hour}&q=eu*`, window: desk, theme: 'dark', first: openField },
    { name: 'compare-light', at: compare, window: desk, theme: 'light', first: toFigures },
    { name: 'compare-phone', at: compare, window: phone, theme: 'dark', first: toFigures },
    { name: 'fields', at: `?hour=${hour}&show=fields`, window: desk, theme: 'both' },
    { name: 'spread-dark', at: spread, window: desk, theme: 'dark', first: toFigures },
    { name: 'spread-phone', at: spread, window: phone, theme: 'light', first: toFigures },
    { name: 'no-match', at: `?hour=${hour}&q=status%3A12345+cart`, window: tablet, theme: 'light' },
    { name: 'day-light', at: `?from=${hour.slice(0, 10)}T00&to=${hour.slice(0, 10)}T23`, window: large, theme: 'light' },
    { name: 'one-event', at: `?hour=${hour}`, window: desk, theme: 'light', first: openLink },
    { name: 'numbers', at: `?hour=${hour}`, window: desk, theme: 'dark', first: (page) => page.getByRole('button', { name: 'Show the numbers' }).click() },
    { name: 'chart-lines', at: `?hour=${hour}&measure=p90&number=data.ms&by=data.path&scale=log`, window: desk, theme: 'dark' },
    { name: 'chart-phone', at: `?hour=${hour}&by=data.path`, window: phone, theme: 'light', first: (page) => page.locator('#hits-title button').click() },
    { name: 'empty-hour', at: '?hour=2001-01-01T05', window: desk, theme: 'light' },
    { name: 'phone-light', at: `?hour=${hour}`, window: phone, theme: 'light' },
    { name: 'phone-dark', at: `?hour=${hour}`, window: phone, theme: 'dark', first: unfold },
    { name: 'phone-rows', at: `?hour=${hour}&show=rows`, window: phone, theme: 'light', first: toPanels },
    { name: 'phone-sources', at: `?hour=${hour}&show=sources`, window: phone, theme: 'dark', first: toPanels },
    { name: 'wall', at: `?hour=${hour}`, window: { width: 3840, height: 2160 }, theme: 'dark' },
  ];
};

/** All of axe's rules about colours that hold for every page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** A view of both themes is looked at in one after the other; the second changes its colours alone. */
export async function look(page, view, screenshots) {
  const [theme, other] = view.theme === 'both' ? ['light', 'dark'] : [view.theme];
  await page.setViewportSize(view.window);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await visit(page, view.at);
  await view.first?.(page);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await eventually(`${view.name}: pixels too wide`, overflow, 0);
  const keep = async (name) => screenshots && page.screenshot({ path: `${screenshots}/${name}.png` });
  await keep(other ? `${view.name}-${theme}` : view.name);
  await accessible(page, view.name);
  if (!other) return;
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' });
  await keep(`${view.name}-${other}`);
  await accessible(page, `${view.name}, ${other}`, COLOUR_RULES);
}
