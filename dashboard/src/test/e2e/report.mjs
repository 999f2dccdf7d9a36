#!/usr/bin/env node
/**
 * Opens reports of the load generator: `report.mjs FILE CHARTS ...`. Exit codes: 0 all show so many charts and no
 * error, 1 one does not.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { accessible, eventually, launch, open, quiet } from './browser.mjs';

const files = process.argv.slice(2);
const browser = await launch();
try {
  for (let i = 0; i < files.length; i += 2) {
    const address = pathToFileURL(resolve(files[i])).href;
    const page = await open(browser, address);
    await page.goto(address);
    await eventually(`charts of ${files[i]}`, () => page.locator('canvas').count(), Number(files[i + 1]));
    await accessible(page, files[i]);
    await quiet(page);
    console.log(`ok      ${files[i]}`);
  }
} catch (e) {
  console.log(`FAILED  ${e.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
}
