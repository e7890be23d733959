// Prints the key moments that the page finds in a replay, a line each: its step, and what happened.

import { readFileSync } from 'node:fs';

const [page, file] = process.argv.slice(2);
const { matchOfFile } = await import(`${page}/watch/source.js`);
const { KINDS, momentsOf } = await import(`${page}/watch/moments.js`);

const words = Object.fromEntries(KINDS.map(({ kind, word }) => [kind, word]));
const { match } = await matchOfFile(new Uint8Array(readFileSync(file)));
for (const { index, kinds } of momentsOf(match)) console.log(JSON.stringify([index, kinds.map((kind) => words[kind])]));
