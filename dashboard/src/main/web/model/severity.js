/**
 * How grave an event is: an `error`, a `warning`, or null for neither. The first of these that is there decides: a
 * level, a severity, the level that a shipper detected, a status of HTTP, the type.
 */

/** Names of a level, those of docs/grafana.md first; the others are read as one here, but tell no `detected_level`. */
export const LEVELS = new Set([
  'level', 'LEVEL', 'Level', 'log.level', 'severity', 'SEVERITY', 'Severity', 'SeverityText', 'lvl', 'LVL', 'Lvl',
  'severity_text', 'Severity_Text', 'SEVERITY_TEXT', 'loglevel', 'log_level',
]);

/** The severity of the journal; in small letters it is a rank of something else. */
const JOURNAL = 'PRIORITY';

/** In the order that counts: names in small letters without `_`, `-` and `.`, and how their values read. */
const FIELDS = [
  ...['level', 'loglevel', 'levelname', 'lvl'].map((name) => [name, ofLevel]),
  ...['severity', 'severitytext', JOURNAL].map((name) => [name, ofSeverity]),
  ['severitynumber', (value) => graded(value, 17, 13)],
  ['detectedlevel', ofLevel],
  ['status', (value) => (numberOf(value) >= 500 ? 'error' : null)],
];

const NAME_LENGTH_MAX = 'severity_number'.length;

/** @param event as the API gives it, with its `type` and its `data` */
export function severityOf({ type, data }) {
  const said = saidIn(data);
  const [name, read] = FIELDS.find(([name]) => said.has(name)) ?? [];
  return name === undefined ? severityOfType(type) : read(said.get(name));
}

/** Types such as `error` and `app.exception`: a word of the name says so. */
export function severityOfType(type) {
  const words = type.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).map(severityOfWord);
  return words.find((severity) => severity === 'error') ?? words.find((severity) => severity !== null) ?? null;
}

/** A level in any case and spelling: `ERROR`, `err`, `Critical`, `WARN2`. */
export function severityOfWord(text) {
  const word = text.trim().toLowerCase();
  if (/^(?:err|errors?|fatal|crit|critical|alert|emerg|emergency|panic|severe|exceptions?)[2-4]?$/.test(word)) return 'error';
  return /^(?:warn|warnings?|wrn)[2-4]?$/.test(word) ? 'warning' : null;
}

/** Numbers are those of pino: 40 warns, 50 and 60 are errors. */
function ofLevel(value) {
  const number = numberOf(value);
  return Number.isNaN(number) ? severityOfWord(value) : graded(number, 50, 40);
}

/** Numbers are those of syslog: 4 warns, 3 to 0 are errors. */
function ofSeverity(value) {
  const number = numberOf(value);
  if (Number.isNaN(number)) return severityOfWord(value);
  return number < 0 ? null : number <= 3 ? 'error' : number === 4 ? 'warning' : null;
}

const graded = (value, error, warning) => {
  const number = numberOf(value);
  return number >= error ? 'error' : number >= warning ? 'warning' : null;
};

/** A text of digits is a number, as journald writes it; any other text is none. */
const numberOf = (value) => (typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value));

/** The texts and numbers of a payload by their plain names, the first of each; `log.level` may be a member of `log`. */
function saidIn(data) {
  const said = new Map();
  if (data === null || typeof data !== 'object') return said;
  for (const [name, value] of [...Object.entries(data), ['log.level', data.log?.level]]) {
    const isSaid = typeof value === 'number' || (typeof value === 'string' && value !== '');
    const plain = isSaid && name.length <= NAME_LENGTH_MAX ? plainName(name) : null;
    if (plain !== null && !said.has(plain)) said.set(plain, value);
  }
  return said;
}

const plainName = (name) => (name === JOURNAL ? name : name.toLowerCase().replace(/[_.-]/g, ''));
