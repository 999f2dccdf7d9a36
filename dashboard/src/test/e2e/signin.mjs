import { accessible, eventually, forgive, intercept, number, params, total, visit } from './browser.mjs';

/**
 * Signing in, on a server with keys whose secrets are in `keys` by name: ada may query, and read metrics; bob may query
 * one type; eve may query until her key is revoked; mon reads metrics; pusher only ingests.
 */

const dialog = (page) => page.getByRole('dialog', { name: 'Sign in' });
const field = (page) => page.getByLabel('Key', { exact: true });
const typeButton = (page, type) => page.locator('type-picker .type').filter({ hasText: type }).first();
const menu = (page) => page.locator('[data-name="key"] > summary');

async function signIn(page, secret) {
  await dialog(page).waitFor();
  await field(page).fill(secret);
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'hidden' });
}

async function signOut(page) {
  await menu(page).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dialog(page).waitFor();
}

/** As if the session had ended: the next request has none. */
const endSession = (page) => page.context().clearCookies();

/** An event of now, which the made-up server has anyway. */
const push = (baseUrl, secret, type) =>
  fetch(new URL('api/v1/events', baseUrl), {
    method: 'POST', headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/x-ndjson' },
    body: `${JSON.stringify({ type, time: new Date().toISOString(), page: 'live' })}\n`,
  });

const SIZES = [[390, 844], [768, 1024], [1440, 900], [1920, 1080]];

export const SIGN_IN = {
  async 'the page asks for a key, and says once what is wrong with one'({ page, hour, screenshots }) {
    await intercept(page); // for the check after this one
    await page.goto(`?hour=${hour}&order=asc`);
    await dialog(page).waitFor();
    await eventually('focus', () => field(page).evaluate((input) => input === document.activeElement), true);
    await eventually('kind', () => field(page).evaluate(({ type, autocomplete }) => [type, autocomplete]), ['password', 'current-password']);
    await page.keyboard.type('hg_wrong');
    await page.keyboard.press('Enter');
    await eventually('what is wrong', () => dialog(page).getByRole('alert').innerText(), (text) => /wrong/.test(text));
    await eventually('said once', async () => (await dialog(page).innerText()).match(/wrong/g).length, 1);
    await eventually('focus', () => field(page).evaluate((input) => input === document.activeElement), true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await eventually('still asked', () => dialog(page).isVisible(), true);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await eventually('pixels too wide', () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
        await accessible(page, `sign-in, ${colorScheme}, ${width}`);
        if (screenshots) await page.screenshot({ path: `${screenshots}/sign-in-${colorScheme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 1000 });
    forgive(page, 401);
  },

  async 'an address that has to wait is told how long'({ page }) {
    await page.route('**/api/v1/session', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '7' }, contentType: 'application/problem+json', body: '{"status":429}' }));
    await page.keyboard.press('Enter');
    await eventually('how long', () => dialog(page).getByRole('alert').innerText(), (text) => text.includes('in 7 s'));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    forgive(page, 429);
  },

  async 'the view that was asked comes up at its address, and the secret is nowhere'({ page, hour, events, keys }) {
    await signIn(page, keys.ada);
    await eventually('total', () => total(page), events);
    await eventually('address', async () => params(page), { hour, order: 'asc' });
    await eventually('whose key', () => menu(page).innerText(), (text) => text.includes('ada'));
    const kept = () => page.evaluate(() => [location.href, document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, document.querySelector('sign-in input').value].join());
    await eventually('secret', async () => (await kept()).includes(keys.ada), false);
    const [cookie] = await page.context().cookies();
    await eventually('cookie', async () => [cookie.name, cookie.httpOnly, cookie.sameSite], ['hourglass-session', true, 'Strict']);
    await menu(page).click();
    await eventually('what it may do', () => page.locator('[data-name="key"] dl').innerText(), (text) => text.includes('query') && text.includes('all'));
    await accessible(page, 'key');
    await page.keyboard.press('Escape');
    forgive(page, 401);
  },

  async 'a session that ends covers the page, and work goes on after it'({ page, types, keys }) {
    await page.locator('.event-toggle').nth(2).click();
    await page.locator('.event-open').waitFor();
    const ofType = number(await typeButton(page, types[0]).locator('.type-count').innerText());
    await endSession(page);
    await typeButton(page, types[0]).click();
    await dialog(page).waitFor();
    await eventually('what ended', () => dialog(page).innerText(), (text) => text.includes('The session of ada has ended'));
    // No colour that lets anything through has three numbers.
    await eventually('what covers it', () => dialog(page).evaluate((element) => getComputedStyle(element, '::backdrop').backgroundColor), (colour) => /^rgb\(\d+, \d+, \d+\)$/.test(colour));
    await signIn(page, keys.ada);
    await eventually('total of the type', () => total(page), ofType);
    await eventually('type', async () => params(page).type, types[0]);
    forgive(page, 401);
  },

  async 'a key that is revoked ends a live view, which goes on with another'({ page, baseUrl, types, keys, revoke }) {
    await signOut(page);
    await signIn(page, keys.eve);
    await push(baseUrl, keys.pusher, types[0]);
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.locator('live-panel .event').first().waitFor();
    await revoke('eve');
    await dialog(page).waitFor();
    await field(page).fill(keys.eve);
    await page.keyboard.press('Enter');
    await eventually('refused', () => dialog(page).getByRole('alert').innerText(), (text) => /revoked/.test(text));
    await signIn(page, keys.ada);
    await page.locator('live-panel .event').first().waitFor();
    await eventually('live', async () => params(page).live, 'on');
    await eventually('whose key', () => menu(page).innerText(), (text) => text.includes('ada'));
    forgive(page, 401);
  },

  async 'a key of one type sees that one alone, and is told what it lacks'({ page, hour, types, keys }) {
    await page.goto(`?hour=${hour}`);
    await signOut(page);
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, keys.bob);
    await eventually('types', () => page.locator('type-picker .type-name').allInnerTexts(), ['All types', types[0]]);
    await page.goto(`?hour=${hour}&page=system&show=rows`);
    await eventually('rows', () => page.getByRole('tabpanel').innerText(), (text) => text.includes('The key bob sees only some types'));
    await accessible(page, 'rows that are not shown');
    await page.getByRole('tab', { name: 'Sources' }).click();
    await eventually('sources', () => page.getByRole('tabpanel').innerText(), (text) => text.includes('lacks the scope metrics'));
    await page.getByRole('tab', { name: 'Health' }).click();
    await eventually('refused events', () => page.getByRole('tabpanel').innerText(), (text) => text.includes('Refused events are not shown'));
    await eventually('asked in vain', async () => asked.filter((path) => path.endsWith('/metrics') || path.endsWith('/rejects')), []);
    forgive(page, 401);
    forgive(page, 403);
  },

  async 'a key that may not query is told so, and sees what it may'({ page, hour, keys }) {
    await page.goto(`?hour=${hour}`);
    await signOut(page);
    await signIn(page, keys.pusher);
    await eventually('what it lacks', () => page.locator('main').innerText(), (text) => text.includes('The key pusher lacks the scope query'));
    await eventually('events', () => page.locator('.event').count(), 0);
    await accessible(page, 'no query');
    await signOut(page);
    await signIn(page, keys.mon);
    await page.goto(`?hour=${hour}&page=system&show=health`);
    await eventually('health', () => page.locator('health-panel').innerText(), (text) => text.includes('Taken now') && !text.includes('Newest event'));
    forgive(page, 401);
    forgive(page, 403);
  },

  async 'signing out ends the session and shows nothing more'({ page, hour, keys, events }) {
    await signOut(page);
    await eventually('cookies', async () => (await page.context().cookies()).filter(({ value }) => value !== ''), []);
    await page.goto(`?hour=${hour}`);
    await dialog(page).waitFor();
    await eventually('events', () => page.locator('.event').count(), 0);
    await signIn(page, keys.ada);
    await eventually('total', () => total(page), events);
    await visit(page, `?hour=${hour}`);
    await eventually('total, in a new document', () => total(page), events);
    forgive(page, 401);
  },
};
