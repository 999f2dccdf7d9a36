const { title, lines: figures, verified, run, settings } = report;

heading(title);
list([...figures, ...verified]);

const time = (values) => values.map((value, i) => [i * run.interval_seconds, value]);
const charts = section('Over time', 'Latency counts from the intended time of sending, so a stall counts for every event that waited behind it.');
lines(charts, 'Events accepted a second',
  [{ label: 'events/s', stroke: seriesColour(1), points: time(run.events_by_interval.map((events) => events / run.interval_seconds)) }], false, secondsAxis);
lines(charts, 'Largest latency of a request (ms)',
  [{ label: 'ms', stroke: seriesColour(0), points: time(run.latency_max_ms_by_interval) }], true, secondsAxis);
lines(section('Latency'), 'By percentile (ms)', [
  { label: 'from the intended time', stroke: seriesColour(0), points: nines(run.latency_curve_ms) },
  { label: 'from the actual time', stroke: seriesColour(1), dash: [5, 4], points: nines(run.service_curve_ms) },
], true, percentAxis);

settingsList(settings);
