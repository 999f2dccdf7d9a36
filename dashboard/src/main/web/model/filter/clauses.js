/** Joins clauses of `where` as text, so that the reader's own text does not change. */

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

/**
 * The parts of an expression that stand between its outermost `&&`, and whether something outermost binds less than
 * those.
 */
function partsOf(expression) {
  const parts = [];
  let depth = 0;
  let start = 0;
  let loose = false;
  for (let i = 0; i < expression.length; i++) {
    const c = expression[i];
    if (c === '"' || c === "'") i = endOfString(expression, i);
    else if (OPENING.has(c)) depth++;
    else if (CLOSING.has(c)) depth--;
    else if (depth === 0 && expression.startsWith('&&', i)) {
      parts.push(expression.slice(start, i).trim());
      start = i + 2;
      i++;
    } else if (depth === 0 && (c === '?' || expression.startsWith('||', i))) loose = true;
  }
  parts.push(expression.slice(start).trim());
  return { parts, loose };
}

/**
 * Where the string that begins at `start` ends; a raw one (`r"..."`) knows no escapes, a triple one ends with three
 * quotes.
 */
function endOfString(text, start) {
  const quote = text[start];
  const quotes = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  const raw = /(^|[^A-Za-z0-9_])[bB]?[rR][bB]?$/.test(text.slice(0, start));
  for (let i = start + quotes.length; i < text.length; i++) {
    if (text[i] === '\\' && !raw) i++;
    else if (text.startsWith(quotes, i)) return i + quotes.length - 1;
  }
  return text.length;
}

/** `expression && clause`; as it was where the clause is one of its parts. */
export function and(expression, clause) {
  const before = expression.trim();
  if (before === '') return clause;
  const { parts, loose } = partsOf(before);
  if (!loose && parts.includes(clause)) return before;
  return `${loose ? `(${before})` : before} && ${clause}`;
}
