import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { parse } from 'yaml';

import { curlOf } from '../../main/reference/curl.js';
import { referenceOf } from '../../main/reference/reference.js';
import { typeOf } from '../../main/reference/schema.js';
import { prose } from '../../main/reference/text.js';

const ours = parse(readFileSync(new URL('../../../../query/src/main/resources/hourglass/openapi.yaml', import.meta.url), 'utf8'));

test('every operation has its parameters, answers and a command', () => {
  const html = referenceOf(ours);
  for (const [path, item] of Object.entries(ours.paths)) {
    for (const { operationId, parameters = [], responses } of Object.values(item)) {
      const [section] = html.split(`<article class="card operation" id="${operationId}"`)[1].split('</article>');
      assert.ok(section.includes(`<code>${path}</code>`), path);
      assert.match(section, /<pre class="curl" tabindex="0">curl /);
      assert.equal(section.match(/<th scope="row">\d{3}</g).length, Object.keys(responses).length, path);
      for (const { name, $ref } of parameters) {
        const wanted = name ?? ours.components.parameters[$ref.split('/').at(-1)].name;
        assert.ok(section.includes(`<code>${wanted}</code>`), `${path} ${wanted}`);
      }
    }
  }
});

test('every link leads to a place on the page', () => {
  const html = referenceOf(ours);
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  assert.ok(links.length > 50);
  assert.deepEqual(links.filter((id) => !ids.has(id)), []);
});

test('every table has a name of its own', () => {
  const names = [...referenceOf(ours).matchAll(/ role="region" tabindex="0" aria-label="([^"]+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 30);
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});

test('types read in few words', () => {
  assert.equal(typeOf({ type: 'integer', minimum: 1, maximum: 9 }), 'integer, 1 to 9');
  assert.equal(typeOf({ type: 'array', items: { $ref: '#/components/schemas/Event' } }), 'list of <a href="#schema-Event">Event</a>');
  assert.equal(typeOf({ oneOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }] }), 'integer, 1 or more or <code>all</code>');
  assert.equal(typeOf({ type: ['string', 'null'] }), 'string or null');
});

test('text is text, whatever is in it', () => {
  assert.equal(prose('a < `b & c`\n\n- one\n- two'), '<p>a &lt; <code>b &amp; c</code></p><ul><li>one</li><li>two</li></ul>');
});

test('a command names what is required', () => {
  assert.equal(curlOf('get', '/api/v1/top', { parameters: [{ name: 'field', in: 'query', required: true }, { name: 'n', in: 'query' }] }), "curl 'http://127.0.0.1:8080/api/v1/top?field=data.status'");
  assert.match(curlOf('post', '/a/{id}', { requestBody: { content: { 'application/json': { example: { a: 1 } } } } }), /^curl -X POST 'http:\/\/127.0.0.1:8080\/a\/ID' -H 'Content-Type: application\/json' -d '\{"a":1\}'$/);
});
