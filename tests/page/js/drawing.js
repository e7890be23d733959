// Returns how many ms of script it takes to draw 105 pieces, and a whole board with their names, at first and again;
// then, on a canvas of the same size, as many plain shapes, and these with the same words: the least of many. Then how far
// the points of a board that is drawn again differ from those of the first time, and from one without names.

(async () => {
  const home = document.querySelector('link[rel=stylesheet]').href.replace('style.css', '');
  const parts = ['board/chart', 'face/boardface', 'face/dom', 'face/layout', 'face/palette', 'face/shapes'];
  const modules = await Promise.all(parts.map((name) => import(`${home}${name}.js`)));
  const [{ chartOf }, { drawBoard }, { penOf }, { layoutOf, middleOf }, { palette }, shapes] = modules;

  const [OWN, FOREIGN, EDGE] = [35, 70, 40];
  const SAMPLES = 60;
  // So often is each drawn for a sample: two or three ms, which a busy machine seldom interrupts.
  const TIMES = { shapes: 20, pieces: 10, worded: 5, board: 5, first: 2 };
  const REACH = 8;
  const SIZE = { width: 900, height: 700 };
  const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
  const RUNGS = ['solution', 'tracked', 'detected', 'contact', 'coasting', 'memory'];
  const WORDS = { font: '11px ui-monospace, monospace', textAlign: 'left', textBaseline: 'middle' };

  /** Return where a piece is and goes: each on another square, about one in ten at rest. */
  function placed(number) {
    const square = [(number * 7) % EDGE, (number * 3 + Math.floor(number / EDGE) * 11) % EDGE];
    return { square, vector: [(number % 3) - 1, (number % 4) - 1], facing: COMPASS[number % 8] };
  }

  const own = Array.from({ length: OWN }, (_, number) => ({
    id: `S${number}`, type: 'heavy cruiser', cloaked: number % 10 === 0, ...placed(number),
  }));
  const contacts = Array.from({ length: FOREIGN }, (_, number) => ({
    label: `C${number}`, fix: RUNGS[number % RUNGS.length], side: 'BCD'[number % 3], turn: 9 - (number % 5), ...placed(OWN + number),
  }));
  const stage = { turn: 9, turns: 20, phase: 'plot', window: '9.plot', sides: ['A', 'B', 'C', 'D'] };
  const chartNow = () => chartOf({ t: 'frame', view: { t: 'side', audience: 'A', stage, board: {}, own, contacts } });
  const chart = chartNow();

  const colours = palette(false);
  const layout = layoutOf(SIZE, { columns: EDGE, rows: EDGE });
  const look = { colours, sides: stage.sides, chosen: null };
  const inks = { paper: colours.paper, ink: colours.ink, colour: colours.sides[0] };
  const middles = chart.marks.map(({ square }) => middleOf(layout, square));
  const words = chart.marks.map(({ name, age }) => (age ? `${name} −${age}` : name));
  const ways = chart.marks
    .filter(({ vector }) => vector.some(Boolean))
    .map(({ square: [x, y], vector: [dx, dy] }) => ({
      from: middleOf(layout, [x, y]),
      to: middleOf(layout, [x + dx, y + dy]),
    }));

  function drawPieces(pen) {
    shapes.drawWays(pen, ways, inks.colour);
    chart.marks.forEach((mark, number) => shapes.drawPiece(pen, mark, middles[number], REACH, inks));
  }

  function drawShapes(pen) {
    for (const [x, y] of middles) {
      pen.beginPath();
      pen.moveTo(x, y - REACH);
      pen.lineTo(x + REACH, y);
      pen.lineTo(x, y + REACH);
      pen.lineTo(x - REACH, y);
      pen.closePath();
      pen.fillStyle = colours.sides[0];
      pen.fill();
      pen.strokeStyle = colours.ink;
      pen.stroke();
    }
  }

  function drawWords(pen) {
    Object.assign(pen, WORDS, { fillStyle: colours.ink });
    middles.forEach(([x, y], number) => pen.fillText(words[number], x + REACH + 3, y));
  }

  const acts = {
    shapes: drawShapes,
    pieces: drawPieces,
    worded: (pen) => {
      drawShapes(pen);
      drawWords(pen);
    },
    board: (pen) => drawBoard(pen, chart, layout, look),
    first: (pen) => drawBoard(pen, { ...chart }, layout, look),
  };
  const least = {};
  const canvas = document.createElement('canvas');
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const [name, act] of Object.entries(acts)) {
      const pen = penOf(canvas, SIZE.width, SIZE.height);
      const begun = performance.now();
      for (let drawn = 0; drawn < TIMES[name]; drawn += 1) act(pen);
      least[name] = Math.min(least[name] ?? Infinity, (performance.now() - begun) / TIMES[name]);
      // What was drawn is painted now, outside of what is measured.
      await new Promise((next) => setTimeout(next));
    }
  }
  const points = (drawn) => {
    const pen = penOf(canvas, SIZE.width, SIZE.height);
    drawBoard(pen, drawn, layout, look);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const farthest = (one, other) => one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0);
  const other = chartNow();
  const [first, again] = [points(other), points(other)];
  const unnamed = points({ ...other, marks: other.marks.map((mark) => ({ ...mark, name: '', age: 0 })) });
  return { number: chart.marks.length, ...least, differs: farthest(first, again), unlike: farthest(first, unnamed) };
})();
