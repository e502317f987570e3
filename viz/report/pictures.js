// Two pictures of a frame on top of each other, and a slider between them.

function divide() {
  const share = Number(byId('slider').value);
  byId('left-picture').style.clipPath = `inset(0 ${100 - share}% 0 0)`;
  byId('divider').style.left = `${share}%`;
}

/// Shows the chosen pictures of a frame; resolves when they are decoded.
async function showPair(frame) {
  const shownHere = [];
  for (const side of ['left', 'right']) {
    const picture = frame.pictures.find(({ name }) => name === byId(side).value);
    const image = byId(`${side}-picture`);
    image.src = urlOf(picture);
    image.alt = `${frame.name}: ${picture.name}`;
    byId(`${side}-tag`).textContent = picture.name;
    shownHere.push(picture);
  }
  const keys = new Set(shownHere.map(({ key }) => key).filter((key) => key));
  showKey(byId('picture-key'), [...keys].flatMap((key) => report.keys[key]));
  // Settled, not all: who clicks on quickly makes the pictures before give up.
  await Promise.allSettled([byId('left-picture').decode(), byId('right-picture').decode()]);
  const { naturalWidth, naturalHeight } = byId('right-picture');
  byId('stack').style.setProperty('--shape', naturalWidth / Math.max(1, naturalHeight));
}

/// The camera's picture, where the others are seen from above.
function showPhoto(frame) {
  byId('photo').hidden = !frame.photo;
  if (!frame.photo) return;
  byId('photo-picture').src = urlOf({ jpeg: frame.photo });
  byId('photo-picture').alt = `${frame.name}: camera`;
}

async function showPictures(frame) {
  showPhoto(frame);
  byId('pictures').hidden = frame.pictures.length === 0;
  byId('slider').hidden = byId('divider').hidden = frame.pictures.length < 2;
  if (frame.pictures.length === 0) return;
  const names = frame.pictures.map(({ name }) => name);
  offer(byId('left'), names, 0);
  offer(byId('right'), names, Math.min(1, names.length - 1));
  await showPair(frame);
}

function startPictures(currentFrame) {
  const slider = byId('slider');
  const stack = byId('stack');
  const follow = (event) => {
    const box = stack.getBoundingClientRect();
    slider.value = 100 * (event.clientX - box.left) / box.width;
    divide();
  };
  slider.addEventListener('input', divide);
  stack.addEventListener('pointerdown', (event) => {
    stack.setPointerCapture(event.pointerId);
    follow(event);
  });
  stack.addEventListener('pointermove', (event) => {
    if (stack.hasPointerCapture(event.pointerId)) follow(event);
  });
  for (const side of ['left', 'right']) {
    byId(side).addEventListener('change', () => showPair(currentFrame()));
  }
  divide();
}
