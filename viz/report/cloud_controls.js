// What is shown of the scan in 3-D, and how it is coloured.

let view = null;

function showDistanceKey(place) {
  const ramp = element('i', { className: 'ramp' });
  ramp.style.background = `linear-gradient(to right, ${kRamp.map((rgb) => `rgb(${rgb})`).join(', ')})`;
  place.replaceChildren(element('span', {}, '0 m', ramp, `${kMostDistance} m and more`));
}

function paintCloud(frame) {
  const cloud = unpacked(frame.cloud);
  const method = Math.max(0, frame.planes.findIndex(({ method }) => method === byId('method').value));
  const plane = frame.planes[method];
  const [, colouring] = kColourings.find(([name]) => name === byId('colour').value);
  view.material.size = Number(byId('size').value) * view.renderer.getPixelRatio();
  view.controls.autoRotate = byId('rotate').checked;
  const road = byId('edges').checked ? frame.road : null;
  view.show(cloud.positions, coloursOf(cloud, plane, method, colouring), byId('plane').checked ? plane : null,
    road);
  view.ask();
  if (colouring === 'distance' || colouring === 'height') showDistanceKey(byId('cloud-key'));
  else showKey(byId('cloud-key'), [...report.keys[colouring], ...(road ? report.roadKey : [])]);
  byId('edges-label').hidden = !frame.road;
}

function showCloud(frame) {
  const { cloud } = frame;
  byId('cloud').hidden = !cloud || !view;
  if (!cloud || !view) return;
  const possible = { labels: true, truth: cloud.truth, agents: cloud.agent, distance: true, height: cloud.height };
  offer(byId('colour'), kColourings.filter(([, key]) => possible[key]).map(([name]) => name));
  offer(byId('method'), frame.planes.map(({ method }) => method));
  byId('method-label').hidden = frame.planes.length < 2;
  byId('cloud-note').textContent = cloud.points < cloud.of
    ? `${cloud.points} of the scan's ${cloud.of} points are shown.` : `All ${cloud.points} points are shown.`;
  view.resize();
  paintCloud(frame);
}

function startCloud(currentFrame) {
  if (!report.frames.some(({ cloud, file }) => cloud || file)) return;
  byId('frame-section').hidden = byId('cloud').hidden = false;  // the view measures its place
  try {
    view = new CloudView(byId('scene'));
  } catch (error) {
    const sentence = `The 3-D view needs WebGL, which this browser does not offer (${error.message}).`;
    byId('cloud').before(element('p', { className: 'notes' }, sentence));
    return;
  }
  byId('rotate').checked = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const id of ['colour', 'method', 'size', 'plane', 'edges', 'rotate']) {
    byId(id).addEventListener('input', () => paintCloud(currentFrame()));
  }
  byId('view').addEventListener('click', () => view.reset());
}
