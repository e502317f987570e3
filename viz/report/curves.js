// The charts: a table's column over the frames, and the convergence of the solves.

const kLineColours = ['#2f7de1', '#e0662f', '#2fa36b', '#b04fd0', '#c79a00', '#12a5b8', '#d6336c', '#7a8594',
                      '#5b5bd6', '#8f6a3a', '#4d9900', '#d98cb3'];

let drawPose = () => {};
let drawAlong = () => {};
let drawConvergence = () => {};

/// The edges of a band between the points and their partners, the second filled up to the first.
function bandOf(points, halves, colour) {
  const edge = (sign, fill) => ({
    data: points.map(({ x, y }, k) => ({ x, y: y === null || halves[k] === null ? null : y + sign * halves[k] })),
    band: true,
    fill,
    backgroundColor: colour + '33',
    borderWidth: 0,
    pointRadius: 0,
    pointHoverRadius: 0,
    order: 2,
  });
  return [edge(-1, false), edge(1, '-1')];
}

const kFewTicks = 8;

/// On a logarithmic axis: powers of ten, no more of them than fit.
function keepPowers(axis) {
  const powers = axis.ticks.filter(({ value }) => Number.isInteger(Math.round(1e9 * Math.log10(value)) / 1e9));
  const stride = Math.ceil(powers.length / kFewTicks);
  if (powers.length > 1) axis.ticks = powers.filter((_, k) => k % stride === 0);
}

const kTail = 0.05;  // share of the values on either side that may lie outside an axis

/// From where to where most values reach with their intervals: a few far ones do not flatten the others.
function fittingRange(points, halves) {
  const known = points.map(({ y }, k) => ({ y, half: halves[k] ?? 0 })).filter(({ y }) => y !== null);
  const sorted = (list) => [...list].sort((a, b) => a - b);
  const at = (list, share) => list[Math.round(share * (list.length - 1))];
  const values = sorted(known.map(({ y }) => y));
  const half = at(sorted(known.map(({ half: each }) => each)), 0.5);
  const [low, high] = [at(values, kTail), at(values, 1 - kTail)];
  const margin = Math.max(high - low, 3 * half);
  const min = Math.max(Math.min(...known.map((each) => each.y - each.half)), low - margin);
  const max = Math.min(Math.max(...known.map((each) => each.y + each.half)), high + margin);
  const outside = known.filter(({ y, half: each }) => y - each < min || y + each > max).length;
  return { min, max, outside };
}

/// Whether lines end so far apart along x that the shorter ones would be seen as a stroke.
function endsDiffer(series) {
  const ends = series.map(({ points }) => points.reduce((most, { x }) => Math.max(most, x), 0)).filter((x) => x > 0);
  return Math.max(...ends) > 8 * Math.min(...ends);
}

function scaleOf(logarithmic, title) {
  return {
    type: logarithmic ? 'logarithmic' : 'linear',
    grid: { color: style('--line') },
    title: { display: true, text: title, color: style('--text') },
    ticks: {
      color: style('--quiet'), maxRotation: 0, autoSkipPadding: 12,
      ...(logarithmic ? { callback: (value) => value.toExponential(0) } : {}),
    },
    ...(logarithmic ? { afterBuildTicks: keepPowers } : {}),
  };
}

/// A line a series: { name, points: [{ x, y }], strong, halves }; of a band, half its width at each point.
/// Over frames, `labels` has their names.
function drawLines(chart, series, xTitle, yTitle, labels) {
  const values = series.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y !== null);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const least = values.reduce((a, b) => Math.min(a, b), most);
  const banded = series.some(({ halves }) => halves);
  const wide = least > 0 && most > 20 * least && !banded;
  const far = !labels && endsDiffer(series);
  const shown = far ? series.map((each) => ({ ...each, points: each.points.filter(({ x }) => x > 0) })) : series;
  chart.data = {
    labels,
    datasets: shown.flatMap(({ name, points, strong, halves }, k) => [{
      label: name,
      data: points,
      borderColor: kLineColours[k % kLineColours.length] + (strong ? '' : '66'),
      backgroundColor: kLineColours[k % kLineColours.length],
      borderWidth: strong ? 2 : 1,
      pointRadius: points.length > 60 ? 0 : 2.5,
      pointHoverRadius: 5,
      order: strong ? 0 : 1,
    }, ...(halves ? bandOf(points, halves, kLineColours[k % kLineColours.length]) : [])]),
  };
  const [x, y] = [scaleOf(far, xTitle), scaleOf(wide, yTitle)];
  const range = banded ? fittingRange(series[0].points, series[0].halves) : {};
  chart.options.scales = {
    x: labels ? { ...x, type: 'category' } : x,
    y: range.min < range.max ? { ...y, min: range.min, max: range.max } : y,
  };
  chart.options.plugins.legend = {
    display: series.length > 1 && series.length <= 20,
    labels: { color: style('--text'), boxWidth: 18, boxHeight: 2 },
  };
  chart.update();
  return range.outside ?? 0;
}

function newChart(canvas) {
  return new Chart(canvas, {
    type: 'line',
    data: { datasets: [] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: {
        tooltip: { filter: ({ dataset }) => !dataset.band, callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${parsed.y.toPrecision(4)}` } },
      },
    },
  });
}

/// The table with a row a frame, where there are several of them.
function framesTable() {
  const table = report.tables.find(({ rows }) => rows.some(({ frame }) => frame));
  return table && new Set(table.rows.map(({ frame }) => frame)).size > 1 ? table : null;
}

/// The columns that have an interval, a chart each.
function startPose() {
  const table = framesTable();
  const columns = table ? table.columns.filter(({ half }) => half) : [];
  const valuesOf = (name) => {
    const k = table.columns.findIndex((column) => column.name === name);
    return table.rows.map(({ cells }) => cells[k]);
  };
  const known = columns.filter(({ name }) => valuesOf(name).some((value) => value !== null));
  if (known.length === 0) return;
  byId('curve-section').hidden = byId('pose').hidden = false;
  const frames = table.rows.map(({ frame }) => frame);
  const charts = ['height-chart', 'tilt-chart'].map((id) => newChart(byId(id)));
  drawPose = () => {
    const outside = known.slice(0, charts.length).map(({ name, half }, c) => {
      const points = valuesOf(name).map((y, k) => ({ x: frames[k], y }));
      return drawLines(charts[c], [{ name, points, strong: true, halves: valuesOf(half) }], 'frame', name, frames);
    });
    const most = Math.max(...outside);
    byId('pose-note').textContent = most === 0 ? ''
      : `The axes fit most frames; of up to ${most} of ${frames.length} the value or its interval reaches outside.`;
  };
  drawPose();
}

/// The per-frame table's numbers, a line a method.
function startAlong() {
  const table = framesTable();
  if (!table) return;
  const told = (_, k) => table.rows.some(({ cells }) => typeof cells[k] === 'number');
  const columns = table.columns.filter(told);
  if (columns.length === 0) return;
  byId('curve-section').hidden = byId('along').hidden = false;
  offer(byId('along-y'), columns.map(({ name }) => name),
        Math.max(0, columns.findIndex(({ name }) => name === table.lead)));
  const chart = newChart(byId('along-chart'));
  const frames = [...new Set(table.rows.map(({ frame }) => frame))];
  drawAlong = () => {
    const column = table.columns.findIndex(({ name }) => name === byId('along-y').value);
    const lines = new Map();
    for (const { frame, method, cells } of table.rows) {
      if (!lines.has(method)) lines.set(method, new Map());
      if (!lines.get(method).has(frame)) lines.get(method).set(frame, cells[column]);  // of the first seed
    }
    const series = [...lines].map(([name, values]) => ({
      name: name || table.columns[column].name,
      points: frames.map((frame) => ({ x: frame, y: values.get(frame) ?? null })),
      strong: true,
    }));
    drawLines(chart, series, 'frame', table.columns[column].name, frames);
  };
  byId('along-y').addEventListener('change', drawAlong);
  drawAlong();
}

/// Of several methods those of the current frame; of one method all frames, the current one strong.
function convergenceSeries(current, x, y) {
  const points = ({ columns }) => columns[x].map((value, k) => ({ x: value, y: columns[y][k] }));
  const lines = (frame, strong, name) => frame.curves.filter(({ columns }) => columns[x] && columns[y])
    .map((curve) => ({ name: name(curve), points: points(curve), strong }));
  if (current.curves.length > 1) return lines(current, true, ({ name }) => name);
  return report.frames.flatMap((frame) => lines(frame, frame === current, () => frame.name));
}

function startConvergence(currentFrame) {
  const curves = report.frames.flatMap(({ curves }) => curves);
  if (curves.length === 0) return;
  byId('curve-section').hidden = byId('convergence').hidden = false;
  const has = (name) => curves.some(({ columns }) => columns[name]);
  offer(byId('trace-x'), report.traceAxes.filter(has));
  const names = [...new Set(curves.flatMap(({ columns }) => Object.keys(columns)))];
  const shown = names.filter((name) => !report.traceAxes.includes(name));
  offer(byId('trace-y'), shown, Math.max(0, shown.indexOf('stationarity gap')));
  const chart = newChart(byId('trace-chart'));
  drawConvergence = () => {
    const frame = currentFrame();
    const [x, y] = [byId('trace-x').value, byId('trace-y').value];
    const series = convergenceSeries(frame, x, y);
    drawLines(chart, series, endsDiffer(series) ? `${x} (logarithmic)` : x, y);
    byId('trace-note').textContent = frame.curves.length > 1
      ? `Methods on frame ${frame.name}.` : `The strong line is frame ${frame.name}.`;
  };
  for (const id of ['trace-x', 'trace-y']) byId(id).addEventListener('change', drawConvergence);
}
