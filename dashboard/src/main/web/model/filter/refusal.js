/** The problem of a refused filter: its field, the position in it, and the reason. */

const POSITION = /^column (\d+): /;

/**
 * @param error of the server, or null
 * @param {{contains: string, where: string}} filter that was asked for
 * @returns {{parameter: 'contains' | 'where', column: number | null, reason: string} | null} null for any other error
 */
export function refusalOf(error, filter) {
  const { parameter, detail } = error ?? {};
  if (parameter !== 'contains' && parameter !== 'where') return null;
  const quoted = `${parameter}: "${filter[parameter]}"`;
  const said = detail.startsWith(quoted) ? detail.slice(quoted.length).replace(/^(: | )/, '') : detail;
  const column = POSITION.exec(said);
  return { parameter, column: column ? Number(column[1]) : null, reason: column ? said.slice(column[0].length) : said };
}
