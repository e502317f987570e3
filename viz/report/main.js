// Puts the page together.

let current = 0;
const currentFrame = () => report.frames[current];

/// Says of a frame of the table that the page has no pictures of it.
function sayNoPicture(name) {
  byId('no-picture').hidden = !name;
  byId('no-picture').textContent = name
    ? `${name} has no picture in this report. To make them all: roadplane report RUN_DIR --report-frames all` : '';
}

async function chooseFrame(index) {
  current = Math.min(Math.max(index, 0), report.frames.length - 1);
  const frame = currentFrame();
  sayNoPicture('');
  if (frame.file) await loadFrame(frame);
  if (frame !== currentFrame()) return;  // another one was chosen meanwhile
  byId('frame').value = frame.name;
  byId('previous').disabled = current === 0;
  byId('next').disabled = current === report.frames.length - 1;
  byId('frame-note').textContent = frame.note;
  byId('frame-note').hidden = !frame.note;
  markRows(frame.name);
  drawConvergence();
  showCloud(frame);
  await showPictures(frame);
}

function showHead() {
  document.title = `${report.title} \u2013 roadplane`;
  byId('title').textContent = report.title;
  byId('subtitle').textContent = report.subtitle;
  byId('origin').textContent = report.origin;
  for (const id of ['notes', 'remarks']) {
    byId(id).hidden = report[id].length === 0;
    byId(id).append(...report[id].map((sentence) => element('li', {}, sentence)));
  }
  const pairs = (list) => list.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  byId('facts').append(...pairs(report.facts));
  for (const fact of byId('facts').children) fact.dataset.mark = fact.firstChild.textContent;
  byId('config').append(...pairs(report.config));
  if (report.command) byId('command').append(element('pre', {}, report.command));
}

function startFrames() {
  if (report.frames.length === 0) return;
  byId('frame-section').hidden = false;
  offer(byId('frame'), report.frames.map(({ name }) => name));
  byId('frame').addEventListener('change', () => chooseFrame(byId('frame').selectedIndex));
  byId('previous').addEventListener('click', () => chooseFrame(current - 1));
  byId('next').addEventListener('click', () => chooseFrame(current + 1));
}

async function start() {
  showHead();
  showTables((name) => {
    const index = report.frames.findIndex((frame) => frame.name === name);
    if (index < 0) {
      sayNoPicture(name);
      return;
    }
    chooseFrame(index);
    byId('frame-section').scrollIntoView({ block: 'start' });
  });
  startFrames();
  if (report.frames.length > 0) await loadFrame(currentFrame());
  startPictures(currentFrame);
  startCloud(currentFrame);
  startPose();
  startAlong();
  startConvergence(currentFrame);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    drawPose();
    drawAlong();
    drawConvergence();
  });
  if (report.frames.length > 0) await chooseFrame(0);
  performance.mark('ready');
}

start();
