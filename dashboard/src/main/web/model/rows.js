/** The rows of the hour as the table shows them. */

/** Parts of a row key, `20112608|checkout|3`; the type is percent-encoded there. */
export function partsOf(key) {
  const [, encoded = '', shard = ''] = key.split('|');
  return { type: decoded(encoded), shard: Number(shard) };
}

/** A row of the answer with what it leaves out filled in; `fill` is null when no target is known. */
export function describeRow(row) {
  const parts = partsOf(row.row);
  return {
    ...row,
    type: row.type ?? parts.type,
    shard: row.shard ?? parts.shard,
    fill: row.fill ?? fillOf(row),
  };
}

/** Share of the target that is used, by columns or bytes, whichever is nearer. */
function fillOf({ columns, bytes, target }) {
  if (!target) return null;
  const shares = [
    [columns, target.columns],
    [bytes, target.bytes],
  ].filter(([used, limit]) => used != null && limit > 0);
  return shares.length === 0 ? null : Math.max(...shares.map(([used, limit]) => used / limit));
}

/** What a fill means, in words. */
export function verdictOf(fill) {
  if (fill > 1) return 'too wide';
  if (fill > 0.8) return 'nearly full';
  return 'ok';
}

/** A copy in order of one property; equal ones stay in order of type and shard. */
export function sortRows(rows, property, descending) {
  const sign = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) => sign * compare(a[property], b[property]) || compare(a.type, b.type) || compare(a.shard, b.shard),
  );
}

function compare(a, b) {
  if (a == null || b == null) return (a != null) - (b != null);
  return a < b ? -1 : a > b ? 1 : 0;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
