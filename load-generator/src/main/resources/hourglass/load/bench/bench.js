const { title, result, settings } = report;
const { hours, queries } = result;

heading(title);
if (result.stopped) add('p', main, 'Stopped by a signal: the figures are those so far.');

const hourName = ({ hour, warm_up: warmUp }) => hour + (warmUp ? ' (warms up)' : '');
table([['Hour', 'Events/s', 'MB/s', 'p99 ms', 'Server CPU s/M', 'Client CPU s/M', 'Resident'],
  ...hours.map((hour) => [hourName(hour), short(hour.events_per_second), short(hour.megabytes_per_second), short(hour.latency_ms.p99),
    short(hour.server_cpu_seconds_per_million), short(hour.client_cpu_seconds_per_million), short(hour.server_resident_bytes)])]);
const charts = section('Hours');
const labels = hours.map(({ hour }) => hour.slice(-3));
bars(charts, 'Events per second', seriesColour(1), labels, hours.map((hour) => hour.events_per_second));
bars(charts, 'Server CPU seconds a million events', seriesColour(0), labels, hours.map((hour) => hour.server_cpu_seconds_per_million));
if (queries.length > 0) {
  add('h2', main, 'Queries');
  table([['Query', 'First ms', 'Later ms', 'Last ms', 'Best ms', 'Worst ms', 'Bytes'],
    ...queries.map((query, i) => [`${i + 1}. ${query.name}`, short(query.first_ms), short(query.later_ms), short(query.median_ms), short(query.best_ms), short(query.worst_ms), short(query.bytes)])]);
  bars(section('Last answers', 'Medians, by the numbers of the table.'), 'Milliseconds', seriesColour(2), queries.map((query, i) => i + 1), queries.map((query) => query.median_ms));
}

settingsList(settings);
