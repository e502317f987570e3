// The sortable tables.

/// Numbers by value, texts with their numbers in order, and what is missing always last.
function compareCells(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
}

function sortRows(body, column, sign) {
  const rows = [...body.rows];
  rows.sort((a, b) => compareCells(a.values[column], b.values[column], sign));
  body.append(...rows);
}

function tableHead(table, body) {
  const heads = table.columns.map((column, k) => {
    const button = element('button', { type: 'button', title: column.hint }, column.name);
    const head = element('th', { scope: 'col' }, button);
    if (column.form !== 'text') head.className = 'number';
    button.addEventListener('click', () => {
      const sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      sortRows(body, k, sign);
    });
    return head;
  });
  return element('thead', {}, element('tr', {}, ...heads));
}

const kLongText = 40;  // characters from which on a text may take several lines

/// A row's picture in its first cell, or that it has none. Rows of several methods go without.
function addThumbnail(made, row, frames) {
  if (!row.frame || row.method || frames.size === 0) return;
  const frame = frames.get(row.frame);
  if (!frame) {
    made.cells[0].append(element('span', { className: 'without' }, 'no picture'));
  } else if (frame.thumbnail) {
    const image = element('img', { className: 'thumb', alt: '', loading: 'lazy', src: urlOf({ jpeg: frame.thumbnail }) });
    made.cells[0].prepend(image);
  }
}

function tableRow(table, row, frames) {
  const made = element('tr', { values: row.cells });
  if (row.mark) made.dataset.mark = row.mark;
  table.columns.forEach((column, k) => {
    const text = shown(row.cells[k], column);
    const className = column.form !== 'text' ? 'number' : text.length > kLongText ? 'sentence' : 'name';
    made.append(element('td', { className }, text));
  });
  if (row.frame) made.dataset.frame = row.frame;
  addThumbnail(made, row, frames);
  return made;
}

/// Without the columns that say nothing in any row.
function trimmed(table) {
  const kept = table.columns.map((_, k) => table.rows.some(({ cells }) => cells[k] !== null && cells[k] !== ''));
  const pick = (list) => list.filter((_, k) => kept[k]);
  return { columns: pick(table.columns), rows: table.rows.map((row) => ({ ...row, cells: pick(row.cells) })) };
}

/// `choose(name)` is called with the frame of a row that is clicked.
function showTables(choose) {
  const frames = new Map(report.frames.map((frame) => [frame.name, frame]));
  for (const { title, ...whole } of report.tables) {
    const table = trimmed(whole);
    const body = element('tbody', {}, ...table.rows.map((row) => tableRow(table, row, frames)));
    body.addEventListener('click', (event) => {
      const row = event.target.closest('tr[data-frame]');
      if (row) choose(row.dataset.frame);
    });
    const place = element('div', { className: 'table', tabIndex: 0 });
    place.append(element('table', {}, tableHead(table, body), body));
    if (title) byId('tables').append(element('h3', {}, title));
    byId('tables').append(place);
  }
}

function markRows(frame) {
  for (const row of document.querySelectorAll('tr[data-frame]')) {
    row.classList.toggle('chosen', row.dataset.frame === frame);
  }
}
