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
