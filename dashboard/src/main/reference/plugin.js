import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { referenceOf } from './reference.js';

/** Writes the description of the interface into api.html, in place of a comment, when the page is built. */
export const apiReference = (file) => ({
  name: 'api-reference',
  transformIndexHtml: {
    order: 'pre',
    handler(html, { path }) {
      return path.endsWith('api.html') ? html.replace('<!-- reference -->', () => referenceOf(parse(readFileSync(file, 'utf8')))) : html;
    },
  },
});
