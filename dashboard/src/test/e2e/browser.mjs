import { existsSync } from 'node:fs';

import axe from 'axe-core';
import { chromium } from 'playwright-core';

/** Chromium, kept quiet: it is to talk to the server under test and nobody else. */
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** The shell has no window and costs a third less. */
const EXECUTABLE = process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** A machine that builds beside may be slow; what holds is seen at once all the same. */
const PATIENCE_MILLIS = 120_000;

export const launch = () => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });

/** A page of its own, whose console, failures and requests are kept. */
export async function open(browser, baseUrl, options = {}) {
  const context = await browser.newContext({
    baseURL: baseUrl, viewport: { width: 1440, height: 1000 }, locale: 'en-GB', timezoneId: 'America/New_York', reducedMotion: 'reduce', ...options,
  });
  context.setDefaultTimeout(PATIENCE_MILLIS);
  const page = await context.newPage();
  const kept = { complaints: [], foreign: [], bodies: [] };
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && kept.complaints.push(m.text()));
  page.on('pageerror', (e) => kept.complaints.push(e.stack));
  page.on('request', (r) => r.url().startsWith('data:') || new URL(r.url()).origin === new URL(baseUrl).origin || kept.foreign.push(r.url()));
  page.on('response', (r) => !r.url().includes('/api/') && !r.url().includes('/health/') && kept.bodies.push(r.body().catch(() => Buffer.alloc(0))));
  return Object.assign(page, { kept });
}

/**
 * Makes the routes of a page hold from the moment they are set, when called before its first document. A document that
 * was there before its page had any route may send requests past it: Chromium tells it late that they are intercepted.
 */
export const intercept = (page) => page.context().route('http://nowhere.invalid/', (route) => route.abort());

/** Fails unless `actual()` comes to equal `expected` in time; a function as `expected` judges. */
export async function eventually(what, actual, expected) {
  const until = Date.now() + PATIENCE_MILLIS;
  const fits = typeof expected === 'function' ? expected : (value) => JSON.stringify(value) === JSON.stringify(expected);
  let last;
  for (;;) {
    last = await actual().catch((e) => `(${e.message.split('\n')[0]})`);
    if (fits(last)) return;
    if (Date.now() > until) throw new Error(`${what}: expected ${typeof expected === 'function' ? expected : JSON.stringify(expected)}, found ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Opens an address and waits until all that the page asks for is there: a page that still grows moves what is clicked.
 */
export async function visit(page, address) {
  await page.goto(address);
  const settled = () => document.querySelector('main.page') !== null && document.querySelector('.bone, .turning') === null;
  await eventually(`all of ${address}`, () => page.evaluate(settled), true);
}

/** Of a long list the first rows are looked at: the others have the same parts, and would be most of the work. */
const LIKE_OTHERS = ['.event:nth-child(n+9)'];

/** Fails on what axe finds, by all of its rules or these. */
export async function accessible(page, where, rules = null) {
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) };
  const { violations } = await page.evaluate(([exclude, how]) => globalThis.axe.run({ exclude }, how), [LIKE_OTHERS, options]);
  if (violations.length > 0) {
    throw new Error(`axe, ${where}: ${violations.map((v) => `${v.id} (${v.help}): ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.any[0]?.message ?? ''}`).join('; ')}`).join('\n  ')}`);
  }
}

/** `1,234` as 1234 */
export const number = (text) => Number(text.trim().split(/\s/)[0].replaceAll(',', ''));
export const total = async (page) => number(await page.getByTestId('total').innerText());
export const params = (page) => Object.fromEntries(new URL(page.url()).searchParams);

/** What the browser says of answers that a check wants to be refused is no complaint. */
export const forgive = (page, status) => {
  page.kept.complaints = page.kept.complaints.filter((complaint) => !complaint.includes(`status of ${status}`));
};

/** Fails if the page complained, or asked anybody but its server. */
export async function quiet(page) {
  await eventually('console', async () => page.kept.complaints, []);
  await eventually('requests to others', async () => page.kept.foreign, []);
}
