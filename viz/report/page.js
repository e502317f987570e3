// What all parts of the page share. Text reaches the page as text nodes only, never as markup.

const report = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// A new element; children are elements or text.
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/// Offers `names` in a <select>, keeping what was chosen where it is still there.
function offer(select, names, otherwise = 0) {
  const before = select.value;
  select.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
  if (names.length > 0) select.value = names.includes(before) ? before : names[otherwise];
}

/// The bytes of a base64 text.
function decode(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes;
}

const urls = new Map();  // of pictures that were looked at

/// The address of a picture: { jpeg } in base64.
function urlOf(picture) {
  if (!urls.has(picture)) {
    const blob = new Blob([decode(picture.jpeg)], { type: 'image/jpeg' });
    urls.set(picture, URL.createObjectURL(blob));
  }
  return urls.get(picture);
}

/// Called by a frame's own file beside the page.
function roadplaneFrame(index, contents) {
  Object.assign(report.frames[index], contents, { file: '' });
}

/// Reads the frame's file, if it has one that was not read.
function loadFrame(frame) {
  if (!frame.file) return Promise.resolve();
  return new Promise((done) => {
    const src = frame.file.split('/').map(encodeURIComponent).join('/');
    const script = element('script', { src, onload: done });
    script.onerror = () => {
      const sentence = `${frame.file} cannot be read; it must lie beside this page.`;
      Object.assign(frame, { file: '', note: [frame.note, sentence].filter((text) => text).join('; ') });
      done();
    };
    document.head.append(script);
  });
}

/// A colour key: [[r, g, b], text] a piece.
function showKey(place, entries) {
  place.replaceChildren(...entries.map(([rgb, text]) => {
    const swatch = element('i', { className: 'swatch' });
    swatch.style.background = `rgb(${rgb})`;
    return element('span', {}, swatch, text);
  }));
}

/// A column's number as text; nothing is a dash.
function shown(value, column) {
  if (value === null || value === undefined) return '\u2013';
  if (typeof value === 'string') return value;
  if (column.form === 'scientific') return value.toExponential(column.digits);
  if (column.form === 'fixed') return value.toFixed(column.digits);
  return String(value);
}
