import { bytes, count } from '../format.js';

/** Facts about the store from the metrics of a process, as far as its engine has them. */

const FACTS = [
  ['hourglass_store_disk_bytes', 'On disk', bytes],
  ['hourglass_store_log_bytes', 'of that the commit log', bytes],
  ['hourglass_store_open_bytes', 'In memory, on their way', bytes],
  ['hourglass_store_rows_untold', 'Rows known by bounds only', count],
  ['hourglass_store_retries_total', 'Requests tried again', count],
];

const STATES = ['up', 'down', 'forced_down', 'unknown'];

/** @returns {{name: string, text: string}[]} */
export function describeStore(samples) {
  const found = (name) => samples.filter((s) => s.name === name);
  const facts = FACTS.flatMap(([metric, name, written]) => found(metric).map(({ value }) => ({ name, text: written(value) })));
  const nodes = found('hourglass_store_nodes');
  if (nodes.length > 0) facts.unshift({ name: 'Nodes', text: nodesText(nodes) });
  const waiting = found('hourglass_store_requests_waiting');
  if (waiting.length > 0) facts.push({ name: 'Requests waiting', text: count(waiting.reduce((sum, s) => sum + s.value, 0)) });
  return facts;
}

function nodesText(nodes) {
  const of = (state) => nodes.find((s) => s.labels.state === state)?.value ?? 0;
  const told = STATES.filter((state) => of(state) > 0).map((state) => `${count(of(state))} ${state.replace('_', ' ')}`);
  return told.length === 0 ? 'none known' : told.join(', ');
}
