/** The sources of this process's events, from its metrics. */

const KAFKA = 'hourglass_kafka_';

/**
 * The facts of one reading of the metrics.
 *
 * @param samples from parseMetrics
 * @param {number} atMillis when they were read
 */
export function describeSources(samples, atMillis) {
  const value = (name, labels = {}) =>
    samples
      .filter((s) => s.name === name && Object.entries(labels).every(([label, text]) => s.labels[label] === text))
      .reduce((sum, s) => sum + s.value, 0);
  const partitions = partitionsOf(samples);
  return {
    atMillis,
    startedAt: value('process_start_time_seconds'),
    ingests: samples.some((s) => s.name === 'hourglass_ingest_events_total'),
    accepted: value('hourglass_ingest_events_total', { verdict: 'accepted' }),
    rejected: value('hourglass_ingest_events_total', { verdict: 'rejected' }),
    kafka: samples.some((s) => s.name === `${KAFKA}troubled`),
    topics: topicsOf(samples, partitions),
    partitions,
    commits: value(`${KAFKA}commits_total`),
    troubles: {
      commitFailures: value(`${KAFKA}commit_failures_total`),
      pauses: value(`${KAFKA}pauses_total`),
      retries: value(`${KAFKA}retries_total`),
      outOfRange: value(`${KAFKA}out_of_range_total`),
      restarts: value(`${KAFKA}restarts_total`),
      deadLetters: value(`${KAFKA}dead_letters_total`),
      deadLettersLost: value(`${KAFKA}dead_letters_lost_total`),
    },
  };
}

function partitionsOf(samples) {
  const byName = new Map();
  for (const { name, labels, value } of samples) {
    const fact = name.startsWith(KAFKA) && labels.partition !== undefined ? name.slice(KAFKA.length) : null;
    if (!['lag', 'held', 'paused', 'committed'].includes(fact)) continue;
    const key = `${labels.topic}\n${labels.partition}`;
    if (!byName.has(key)) byName.set(key, { topic: labels.topic, partition: Number(labels.partition), lag: null, held: null, paused: 0, committed: null });
    byName.get(key)[fact] = value;
  }
  return [...byName.values()].sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.partition - b.partition));
}

function topicsOf(samples, partitions) {
  const records = samples.filter((s) => s.name === `${KAFKA}records_total`);
  const names = new Set([...records.map((s) => s.labels.topic), ...partitions.map((p) => p.topic)]);
  return [...names].sort().map((topic) => {
    const count = (verdict) => records.filter((s) => s.labels.topic === topic && s.labels.verdict === verdict).reduce((sum, s) => sum + s.value, 0);
    const own = partitions.filter((p) => p.topic === topic);
    return {
      topic,
      accepted: count('accepted'),
      rejected: count('rejected'),
      tombstones: count('tombstone'),
      partitions: own.length,
      lag: own.some((p) => p.lag !== null) ? own.reduce((sum, p) => sum + (p.lag ?? 0), 0) : null,
    };
  });
}

/** Events a second between two looks at one process; null where they are none. */
export function rateOf(now, before, countOf) {
  if (!before || before.startedAt !== now.startedAt) return null;
  const seconds = (now.atMillis - before.atMillis) / 1000;
  const received = countOf(now) - countOf(before);
  return seconds > 0 && received >= 0 ? received / seconds : null;
}

/** How many events of a topic were accepted at a look. */
export const acceptedOf = (topic) => (look) => look.topics.find((t) => t.topic === topic)?.accepted ?? 0;

const TROUBLES = {
  pauses: (n) => `${n} pauses, since the store was slower than the topics`,
  retries: (n) => `${n} failed writes, repeated`,
  commitFailures: (n) => `${n} failed commits, repeated`,
  restarts: (n) => `${n} restarts of a failed consumer`,
  outOfRange: (n) => `${n} times a partition no longer had the next records`,
  deadLetters: (n) => `${n} records sent to a dead-letter topic`,
  deadLettersLost: (n) => `${n} dead letters that could not be sent`,
};

/** Failures since the process began, in words; only those that happened. */
export function troublesOf({ troubles }, count) {
  return Object.entries(troubles)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => TROUBLES[name](count(n)));
}
