import { escape, line, prose } from './text.js';

/** Schemas of an OpenAPI document as HTML: a type in a few words, with links to those that have a name. */

const REF = '#/components/schemas/';

export const anchorOf = (name) => `schema-${name}`;

/** `integer, 1 or more`, `list of EventType` */
export function typeOf(schema = {}) {
  if (schema.$ref) return named(schema.$ref);
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.map(typeOf).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  const types = [schema.type ?? 'any'].flat().map((type) => (type === 'array' && schema.items ? `list of ${typeOf(schema.items)}` : escape(type)));
  return [types.join(' or '), schema.format && escape(schema.format), ...bounds(schema)].filter(Boolean).join(', ');
}

/** What a schema says beside its type: default and examples. */
export function notesOf(schema = {}) {
  const { default: byDefault, examples = [] } = schema;
  return [
    byDefault === undefined ? '' : `<p>Default: ${code(byDefault)}</p>`,
    examples.length === 0 ? '' : `<p>Example: ${examples.map(code).join(', ')}</p>`,
  ].join('');
}

/** A schema with a name: its properties as a table. */
export function schemaSection(name, schema) {
  return `<section class="schema" id="${anchorOf(name)}"><h3>${escape(name)}</h3>${prose(schema.description)}${propertiesOf(name, schema) || `<p class="schema-type">${typeOf(schema)}</p>${notesOf(schema)}`}</section>`;
}

function propertiesOf(of, schema) {
  const parts = [schema, ...(schema.allOf ?? [])].filter(({ properties }) => properties);
  const rows = parts.flatMap(({ properties, required = [] }) => Object.entries(properties).map(([name, property]) => `
    <tr><th scope="row"><code>${escape(name)}</code>${required.includes(name) ? '' : ' <span class="optional">optional</span>'}</th>
    <td>${typeOf(property)}</td><td>${prose(property.description)}${notesOf(property)}</td></tr>`));
  const others = (schema.allOf ?? []).filter(({ $ref }) => $ref).map(({ $ref }) => `<p>All of ${named($ref)}, and:</p>`).join('');
  return rows.length === 0 ? '' : `${others}${table(`Properties of ${of}`, ['Property', 'Type', 'Meaning'], rows)}`;
}

export const table = (label, heads, rows) => `
  <div class="scroller" role="region" tabindex="0" aria-label="${escape(label)}"><table class="table">
    <thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

function named(ref) {
  const name = ref.slice(REF.length);
  return `<a href="#${anchorOf(name)}">${escape(name)}</a>`;
}

function* bounds({ minimum, maximum, minLength, maxLength }) {
  if (minimum !== undefined && maximum !== undefined) yield `${minimum} to ${maximum}`;
  else if (minimum !== undefined) yield `${minimum} or more`;
  else if (maximum !== undefined) yield `at most ${maximum}`;
  if (minLength > 0) yield 'not empty';
  if (maxLength !== undefined) yield `at most ${maxLength} characters`;
}

export const code = (value) => `<code>${escape(typeof value === 'object' ? JSON.stringify(value) : value)}</code>`;
