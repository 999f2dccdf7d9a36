const { run } = report;
const layouts = Object.keys(run.layouts);

const steps = [0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 6];

/** One line for each node; its colour is the node's load in multiples of the mean at that time. */
function heatMap(parent, title, seconds, loads) {
  const nodes = loads.length > 0 ? loads[0].length : 0;
  const draw = (u) => {
    const width = u.bbox.width / Math.max(1, loads.length);
    const height = u.bbox.height / Math.max(1, nodes);
    loads.forEach((load, i) => {
      const sum = load.reduce((a, b) => a + b, 0);
      load.forEach((writes, node) => {
        const ratio = sum === 0 ? 0 : (writes * nodes) / sum;
        u.ctx.fillStyle = colour('h' + steps.filter((step) => ratio > step).length);
        u.ctx.fillRect(u.bbox.left + i * width, u.bbox.top + node * height, Math.ceil(width), Math.ceil(height));
      });
    });
  };
  new uPlot({
    title, width: 380, height: Math.max(90, Math.min(230, 70 + 14 * nodes)), legend: { show: false }, hooks: { draw: [draw] },
    cursor: { show: false }, series: [{}, { show: false }],
    scales: { x: { time: false, range: [0, loads.length * seconds] }, y: { range: [0, nodes] } },
    axes: [axis({ values: (u, s) => s.map((v) => v + ' s') }), { show: false }],
  }, [[0, loads.length * seconds], [0, nodes]], parent);
}

/** The curves of all layouts. points gives the [x, y] of a layout. */
const curves = (points) => layouts.map((name, i) => ({ label: name, stroke: seriesColour(i), points: points(run.layouts[name]) }));

heading(run.title);
table(report.table);

let charts = section('Writes by node', 'Nodes in the order of their load. The dotted line is the mean: a good layout has even bars.');
layouts.forEach((name, i) => {
  const layout = run.layouts[name];
  const nodes = Object.entries(layout.nodes).sort((a, b) => b[1].writes - a[1].writes);
  const writes = nodes.map(([, node]) => node.writes);
  bars(charts, `${name}: at most ${layout.node_max_over_mean.toFixed(2)} times the mean`, seriesColour(i), nodes.map(([node]) => node), writes,
    writes.reduce((a, b) => a + b, 0) / Math.max(1, writes.length));
});

charts = section('Writes by node over time', 'One line for each node. Its colour is its load in multiples of the mean at that time.');
const legend = addClass('div', 'steps', charts);
[...steps, null].forEach((step, i) => {
  const entry = add('span', legend);
  add('i', entry).style.background = colour('h' + i);
  entry.append(step === null ? `over ${steps[steps.length - 1]}` : `to ${step}`);
});
for (const name of layouts) heatMap(charts, name, run.layouts[name].interval_seconds, run.layouts[name].node_writes_by_interval);

charts = section('Rows by width', 'The number of rows by their number of columns, in steps of 1, 2, 5, 10 and so on.');
layouts.forEach((name, i) => {
  const widths = run.layouts[name].rows_by_columns;
  bars(charts, `${name}: rows by columns`, seriesColour(i), widths.map((step) => short(step.columns_from)), widths.map((step) => step.rows));
});

if (layouts.some((name) => run.layouts[name].latency_curve_ms)) {
  charts = section('Latency and throughput',
    'Latency counts from the intended time of sending, so a stall counts for every event that waited behind it.');
  lines(charts, 'Latency by percentile (ms)', curves((layout) => nines(layout.latency_curve_ms)), true, percentAxis);
  lines(charts, 'Latency over time, 99th percentile (ms)', curves(({ by_second: by }) =>
    (by?.second ?? []).map((second, i) => [second, by.p99_ms[i]])), true, secondsAxis);
  lines(charts, 'Throughput (events/s)', curves((layout) =>
    (layout.events_done_by_second ?? []).map((events, second) => [second, events])), false, secondsAxis);
}

settingsList(run.settings);
