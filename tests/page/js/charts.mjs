// Prints, for each frame of a replay, what the page makes of it: the marks, the ground and the
// surface maps of its view, and the sentences of its notices. One line of JSON each.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(`${folder}/${name}`));
const { readReplay } = await part('replay/replay.js');
const { chartOf } = await part('board/chart.js');
const { sitesOf, surfaceOf } = await part('board/surface.js');
const { sentence } = await part('story/story.js');

const replay = await readReplay(new Uint8Array(readFileSync(file)));
for (const [layer, messages] of replay.layers) {
  for (const frame of messages.filter((message) => message.t === 'frame')) {
    const chart = chartOf(frame);
    const marks = chart.marks.map(({ square, what, name, isOwn, side, fix, facing, age }) => [
      square, what, name, isOwn, side, fix, facing, age,
    ]);
    const surfaces = sitesOf(frame.view.board).map((site) => plain(frame.view, site));
    const told = (frame.notices ?? []).map(sentence);
    console.log(JSON.stringify({ layer, seq: frame.seq, marks, ground: chart.ground, surfaces, told }));
  }
}

function plain(view, site) {
  return surfaceOf(view, site).rows.map((row) =>
    row.map(({ terrain, standing, isLit }) => [
      terrain,
      standing.map(({ name, what, isOwn, side, age }) => [name, what, isOwn, side, age]),
      isLit,
    ]),
  );
}
