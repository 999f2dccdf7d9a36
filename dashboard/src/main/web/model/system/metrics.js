/** Reads the text that Prometheus reads: one sample a line. */

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED = { n: '\n' };

/** @returns {{name: string, labels: Record<string, string>, value: number}[]} those whose name begins so */
export function parseMetrics(text, prefix = '') {
  const samples = [];
  for (const line of text.split('\n')) {
    const match = line.startsWith(prefix) ? SAMPLE.exec(line) : null;
    if (match) samples.push({ name: match[1], labels: labelsOf(match[2] ?? ''), value: Number(match[3]) });
  }
  return samples;
}

function labelsOf(text) {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, c) => ESCAPED[c] ?? c)]));
}
