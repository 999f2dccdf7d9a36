import { curlOf } from './curl.js';
import { notesOf, schemaSection, table, typeOf } from './schema.js';
import { escape, line, prose } from './text.js';

/** An OpenAPI document as one page: what it says of the whole, its operations by tag, its schemas. */

const METHODS = ['get', 'post', 'put', 'delete'];

export function referenceOf(api) {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...resolved(api, item[method], item) })));
  const groups = api.tags.map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) }));
  const schemas = Object.entries(api.components.schemas);
  return `
    <nav class="side reference-index" aria-label="Contents">
      ${groups.map(({ name, description, operations: all }) => `<section class="side-part"><h2>${escape(description ?? name)}</h2><ul>${all.map(indexEntry).join('')}</ul></section>`).join('')}
      <section class="side-part"><h2>Objects</h2><ul>${schemas.map(([name]) => `<li><a href="#schema-${name}">${escape(name)}</a></li>`).join('')}</ul></section>
    </nav>
    <main class="page reference">
      <h1>${escape(api.info.title)} API</h1>
      <p class="hint">Version ${escape(api.info.version)}. The same as a document for tools: <a href="openapi.yaml">openapi.yaml</a></p>
      ${prose(api.info.description)}
      ${groups.map(({ name, description, operations: all }) => `<section aria-label="${escape(description ?? name)}"><h2>${escape(description ?? name)}</h2>${all.map(operationSection).join('')}</section>`).join('')}
      <section aria-label="Objects"><h2>Objects</h2>${schemas.map(([name, schema]) => schemaSection(name, schema)).join('')}</section>
    </main>`;
}

const indexEntry = ({ operationId, method, path }) => `<li><a href="#${operationId}"><span class="method">${method}</span> ${escape(path)}</a></li>`;

function operationSection({ operationId, method, path, summary, description, parameters, requestBody, responses }) {
  const title = `${method.toUpperCase()} ${path}`;
  return `
    <article class="card operation" id="${operationId}" aria-labelledby="${operationId}-title">
      <h3 id="${operationId}-title"><span class="method">${method}</span> <code>${escape(path)}</code> <span class="aside">${line(summary)}</span></h3>
      ${prose(description)}
      <pre class="curl" tabindex="0">${escape(curlOf(method, path, { parameters, requestBody }))}</pre>
      ${parameters.length === 0 ? '' : table(`Parameters of ${title}`, ['Parameter', 'Type', 'Meaning'], parameters.map(parameterRow))}
      ${requestBody ? bodySection(title, requestBody) : ''}
      ${table(`Answers of ${title}`, ['Answer', 'Content', 'Meaning'], Object.entries(responses).map(responseRow))}
    </article>`;
}

const PLACES = { query: '', header: 'header', path: 'in the path', cookie: 'cookie' };

const parameterRow = ({ name, in: place, required, description, schema }) => `
  <tr><th scope="row"><code>${escape(name)}</code>${PLACES[place] ? ` <span class="optional">${PLACES[place]}</span>` : ''}${required && place !== 'path' ? ' <b>required</b>' : ''}</th>
  <td>${typeOf(schema)}</td><td>${prose(description)}${notesOf(schema)}</td></tr>`;

const bodySection = (title, { description, content }) => `
  ${table(`Body of ${title}`, ['Body', 'Type', 'Meaning'], Object.entries(content).map(([type, { schema }]) => `
    <tr><th scope="row"><code>${escape(type)}</code></th><td>${typeOf(schema)}</td><td>${prose(schema?.description)}</td></tr>`))}
  ${prose(description)}`;

function responseRow([status, { description, content = {}, headers = {} }]) {
  const types = Object.entries(content).map(([type, { schema }]) => `<p><code>${escape(type)}</code>: ${typeOf(schema)}</p>`).join('');
  const named = Object.entries(headers).map(([name, header]) => `<p><code>${escape(name)}</code>: ${line(header.description)}</p>`).join('');
  return `<tr><th scope="row">${status}</th><td>${types}</td><td>${prose(description)}${named}</td></tr>`;
}

/** An operation with what its references name in their place; schemas stay names, which have a section each. */
function resolved(api, operation, item) {
  const look = (part) => (part?.$ref ? part.$ref.slice(2).split('/').reduce((at, name) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')], api) : part);
  return {
    ...operation,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(look),
    requestBody: look(operation.requestBody),
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, response]) => [status, look(response)])),
  };
}
