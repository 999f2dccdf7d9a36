import { accessible, eventually, params, visit } from './browser.mjs';

const focused = (page) => page.evaluate(() => document.activeElement.closest('.event')?.dataset.index ?? null);

/** What helps a reader along, and what the page keeps of a reader's choices. */
export const READER = {
  async 'keys lead to the filter, along the events, and back'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    await page.keyboard.press('j');
    await eventually('the first event', () => focused(page), '0');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await eventually('the second event', () => focused(page), '1');
    await page.keyboard.press('Enter');
    await eventually('unfolded', () => page.locator('[data-index="1"] .detail').count(), 1);
    await page.keyboard.press('Escape');
    await eventually('folded', () => page.locator('.detail').count(), 0);
    await page.keyboard.press('/');
    await eventually('the filter', () => page.evaluate(() => document.activeElement.closest('search-bar') !== null), true);
    await page.keyboard.type('j?');
    await eventually('what is written', () => page.evaluate(() => document.activeElement.value), 'j?');
    await eventually('help', () => page.locator('dialog[open]').count(), 0);
  },

  async 'n leads on to events not loaded yet'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    const loaded = async () => Number(/^[\d,]+/.exec(await page.locator('events-bar .panel-count').innerText())[0].replaceAll(',', ''));
    const before = await loaded();
    await page.keyboard.press('n');
    await eventually('loaded events', loaded, (n) => n > before);
  },

  async 'the question mark opens the help, and Escape closes it'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    await page.keyboard.press('?');
    await eventually('help', () => page.getByRole('dialog', { name: 'Help' }).isVisible(), true);
    await accessible(page, 'help');
    await page.keyboard.press('Escape');
    await eventually('help, closed', () => page.getByRole('dialog', { name: 'Help' }).isVisible(), false);
    await page.getByRole('button', { name: 'Help' }).click();
    await eventually('help again', () => page.getByRole('link', { name: 'The API' }).isVisible(), true);
    await page.getByRole('button', { name: 'Close' }).click();
  },

  async 'the system has a page of its own, with the version and the API'({ page, hour }) {
    await visit(page, `?hour=${hour}&type=any`);
    await page.getByRole('link', { name: 'System' }).click();
    await eventually('address', async () => [params(page).page, params(page).type], ['system', 'any']);
    await eventually('tabs', () => page.getByRole('tab').allInnerTexts(), ['Rows', 'Planner', 'Sources', 'Health']);
    await eventually('version', () => page.getByTestId('version').innerText(), (text) => /^Hourglass \d/.test(text));
    for (const show of ['rows', 'sources', 'health']) {
      await visit(page, `?hour=${hour}&show=${show}`);
      await eventually(`an address of old, ${show}`, () => page.locator(`#panel-${show}`).isVisible(), true);
    }
    await page.getByRole('link', { name: 'API reference' }).click();
    await eventually('heading', () => page.locator('h1').innerText(), 'Hourglass API');
  },

  async 'the API reference has every operation, with a command for this server'({ page, baseUrl }) {
    await page.goto('api.html#pushEvents');
    await eventually('operations', () => page.locator('.operation').count(), (n) => n > 10);
    await eventually('a command', () => page.locator('#queryEvents .curl').innerText(), (text) => text.startsWith(`curl '${new URL('api/v1/events', baseUrl)}`));
    await accessible(page, 'API reference');
    await page.emulateMedia({ colorScheme: 'dark' });
    await accessible(page, 'API reference in the dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually('pixels too wide', () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await eventually('the plain document', async () => (await page.request.get('openapi.yaml')).status(), 200);
  },
};
