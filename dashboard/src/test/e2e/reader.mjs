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
    await eventually('tabs', () => page.getByRole('tab').allInnerTexts(), ['Health', 'Sources', 'Rows', 'Planner']);
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

  async 'columns are added, moved, made wider and sorted by, and stay so'({ page, hour }) {
    await visit(page, `?hour=${hour}&column=data.path`);
    const columns = () => new URL(page.url()).searchParams.getAll('column');
    const menu = page.locator('[data-name="columns"] > summary');
    await menu.click();
    await page.getByRole('combobox', { name: 'Field' }).fill('ms');
    await page.getByRole('button', { name: 'Add' }).click();
    await eventually('address', async () => columns(), ['data.path', 'data.ms']);
    await page.getByRole('button', { name: 'Move ms left' }).click();
    await eventually('their order', async () => columns(), ['data.ms', 'data.path']);
    await accessible(page, 'columns');
    await page.keyboard.press('Escape');

    const name = (title) => page.locator('.event-sort').filter({ hasText: new RegExp(`^${title}$`) });
    const middle = async (locator) => locator.boundingBox().then((box) => [box.x + box.width / 2, box.y + box.height / 2]);
    await page.mouse.move(...(await middle(name('ms'))));
    await page.mouse.down();
    const [pathX, pathY] = await middle(page.getByRole('separator', { name: 'Width of column path' }));
    await page.mouse.move(pathX - 4, pathY, { steps: 4 });
    await eventually('where it would go', () => page.locator('[data-drop="after"]').getAttribute('title'), 'data.path');
    await page.mouse.up();
    await eventually('order by drag', async () => columns(), ['data.path', 'data.ms']);
    await eventually('no sort', () => page.locator('[aria-sort]').count(), 0);
    await name('ms').press('Shift+ArrowLeft');
    await eventually('order by key', async () => columns(), ['data.ms', 'data.path']);
    await eventually('the focus', () => page.evaluate(() => document.activeElement.textContent), 'ms');
    await page.mouse.move(...(await middle(name('ms'))));
    await page.mouse.down();
    await page.mouse.move(pathX, pathY, { steps: 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await eventually('a drag that is left', async () => [columns(), await page.locator('[data-drop], [aria-sort]').count()], [['data.ms', 'data.path'], 0]);
    await visit(page, `?hour=${hour}&column=data.path`);
    await menu.click();
    await page.getByRole('combobox', { name: 'Field' }).fill('ms');
    await page.getByRole('button', { name: 'Add' }).click();
    await eventually('the place that it was moved to', async () => columns(), ['data.ms', 'data.path']);
    await page.keyboard.press('Escape');

    const widthOf = () => page.locator('.event .event-field').first().evaluate((cell) => cell.offsetWidth);
    const edge = page.getByRole('separator', { name: 'Width of column ms' });
    const before = await widthOf();
    const { x, y, width, height } = await edge.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await eventually('width', widthOf, before + 60);
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await eventually('width by key', widthOf, before + 44);
    await page.reload();
    await eventually('width after a reload', widthOf, before + 44);

    const values = async () => (await page.locator('.event .event-field[data-label="ms"]').allInnerTexts()).map(Number);
    await page.getByRole('button', { name: 'ms', exact: true }).and(page.locator('.event-sort')).click();
    await eventually('upwards', values, (all) => all.length > 5 && all.every((n, i) => i === 0 || n >= all[i - 1]));
    await eventually('what is sorted', () => page.locator('events-panel').innerText(), (text) => text.includes('only the 200 loaded events'));
    await page.getByRole('button', { name: 'Sort by time' }).click();
    await eventually('by time', () => page.locator('.event .event-toggle').allInnerTexts(), (all) => all.every((time, i) => i === 0 || time <= all[i - 1]));
  },

  async 'long lines wrap on demand'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    const wraps = () => page.locator('.event-data').first().evaluate((cell) => getComputedStyle(cell).whiteSpace === 'normal');
    await eventually('at first', wraps, false);
    for (const wrapped of [true, false]) {
      await page.locator('[data-name="columns"] > summary').click();
      await page.getByRole('checkbox', { name: 'Wrap long lines' }).setChecked(wrapped);
      await eventually('wrapped', wraps, wrapped);
      await page.reload();
      await eventually('wrapped after a reload', wraps, wrapped);
    }
  },

  async 'a search is saved by name, opened, shared and deleted'({ page, hour, types }) {
    const menu = page.locator('[data-name="searches"] > summary');
    const saved = page.getByRole('list', { name: 'Saved searches' });
    const asked = page.getByRole('list', { name: 'Asked before' });
    const filter = 'status>=500';
    const focus = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim());
    await visit(page, `?hour=${hour}&type=${encodeURIComponent(types[0])}&q=${encodeURIComponent(filter)}&column=data.path`);
    await menu.press('Enter');
    await eventually('the focus, within the sheet', () => page.evaluate(() => document.activeElement.closest('.drop-down-sheet') !== null), true);
    await page.keyboard.press('Escape');
    await eventually('the focus, back on the button', focus, 'Saved searches');
    await menu.press('Enter');
    await page.getByRole('textbox', { name: 'Name of this search' }).fill('Failures');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually('its name and filter', () => saved.innerText(), (text) => text.includes('Failures') && text.includes(filter));
    await accessible(page, 'saved searches');
    const link = new URL(await saved.locator('copy-button').evaluate((button) => button.text()));
    await eventually('its link', async () => [link.searchParams.get('q'), link.searchParams.get('hour')], [filter, null]);
    await visit(page, `?from=${hour}:00:00Z&to=${hour}:30:00Z`);
    await menu.click();
    await eventually('what was asked', () => asked.innerText(), (text) => text.includes(filter));
    await eventually('the focus, on the first of them', focus, (text) => text.startsWith('Failures'));
    await page.keyboard.press('Enter');
    await eventually('the focus after the choice', focus, 'Saved searches');
    await eventually('address', async () => [params(page).q, params(page).type, params(page).column, params(page).to], [filter, types[0], 'data.path', `${hour}:30:00Z`]);
    await page.reload();
    await menu.click();
    await page.getByRole('button', { name: 'Delete Failures' }).click();
    await eventually('saved searches', () => saved.count(), 0);
    await page.getByRole('button', { name: 'Clear history' }).click();
    await eventually('history', () => asked.count(), 0);
  },
};
